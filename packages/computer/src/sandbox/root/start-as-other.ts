import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../../disk/landing.ts";
import { prepareLayers } from "../../layers/layer.ts";
import { findExecutable } from "../linux/find-executable.ts";
import { describeMachine, isSystemPath } from "../linux/machine.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { mapOwners, type NeededPath } from "./owner-mapping.ts";
import { ownerMappingScript } from "./owner-mapping-script.ts";
import { findUnprivilegedId } from "./unprivileged-id.ts";

/** How a program is started as an unprivileged user who can still work here, or why it can't be. */
export type OtherStart =
  | { readonly prefix: readonly string[]; readonly id: number }
  | { readonly prefix: undefined; readonly reason: string; readonly remedy: string };

/**
 * Returns the command prefix by which root's sandboxes are started as an unprivileged user: root
 * itself is bound by no limit on processes, and stays root to the kernel in every namespace.
 */
export function startAsOther(place: SandboxContext): OtherStart {
  const perl = findExecutable("perl", place);
  if (perl === undefined) {
    return {
      prefix: undefined,
      reason: "root's sandboxes are started with Perl, which is not installed",
      remedy:
        "Install perl (Debian: `apt-get install perl-base`), or run Haft as an ordinary user.",
    };
  }
  const id = findUnprivilegedId(place.roots);
  if (id === undefined) {
    return {
      prefix: undefined,
      reason: "this container has no user ID left for an unprivileged user",
      remedy: "Run Haft as an ordinary user, or give the container at least 65,536 user IDs.",
    };
  }
  const { covered, shown } = mapOwners(listNeeded(place));
  return {
    id,
    prefix: [
      ...[perl, "-e", ownerMappingScript, "--", `${id}`],
      ...[`${covered.length}`, ...covered],
      ...[`${shown.length}`, ...shown.flatMap(describe)],
    ],
  };
}

function describe(shown: ReturnType<typeof mapOwners>["shown"][number]): readonly string[] {
  return [shown.how, `${shown.uid}`, `${shown.gid}`, shown.path];
}

function listNeeded(place: SandboxContext): readonly NeededPath[] {
  const { toolchains, files } = describeMachine(place);
  const needed: readonly NeededPath[] = [
    ...place.roots.map(findLanding).map((path) => ({ path, how: "write" }) as const),
    ...[...toolchains.directories, ...(place.reads ?? [])].map(
      (path) => ({ path, how: "read" }) as const,
    ),
    { path: ownPackage(), how: "read" },
    // The egress sockets of sandboxes are there too.
    { path: findLanding(files.directory), how: "as-is" },
    { path: findLanding(files.probe), how: "write" },
    ...describeLayers(place),
  ];
  return needed.filter(({ path }) => existsSync(path) && !isSystemPath(path));
}

/** Untrusted programs get no layers. In a workspace there can be none; see `examineLayers`. */
function describeLayers({ roots, stateDirectory, isBare }: SandboxContext): readonly NeededPath[] {
  const [first] = roots.map(findLanding).filter((root) => existsSync(root));
  if (isBare || first === undefined) return [];
  const path = findLanding(prepareLayers(stateDirectory));
  if (roots.map(findLanding).some((root) => isInside(root, path))) return [];
  return [{ path, how: "write", like: first }];
}

/** The directory of the package that this file is in, with the broker's script and others. */
function ownPackage(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let at = here; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
  }
  return here;
}
