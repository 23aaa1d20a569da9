import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findLanding } from "../../disk/landing.ts";
import { findExecutable } from "../linux/find-executable.ts";
import { describeMachine, isSystemPlace } from "../linux/machine.ts";
import type { SandboxPlace } from "../sandbox-place.ts";
import { mapOwners, type NeededPlace } from "./owner-mapping.ts";
import { ownerMappingScript } from "./owner-mapping-script.ts";
import { findUnprivilegedId } from "./unprivileged-id.ts";

/** How a program is started as somebody without rights who can still work here, or why it can't be. */
export type OtherStart =
  | { readonly prefix: readonly string[]; readonly id: number }
  | { readonly prefix: undefined; readonly reason: string; readonly remedy: string };

/**
 * What to put before a program so that root's sandboxes are started by somebody without any rights:
 * root itself is bound by no limit on processes, and in every namespace still root to the kernel.
 */
export function startAsOther(place: SandboxPlace): OtherStart {
  const perl = findExecutable("perl", place);
  if (perl === undefined) {
    return {
      prefix: undefined,
      reason: "root's sandboxes are started by a Perl program, and there is no perl",
      remedy:
        "Install perl (Debian: `apt-get install perl-base`), or run Haft as an ordinary user.",
    };
  }
  const id = findUnprivilegedId(place.roots);
  if (id === undefined) {
    return {
      prefix: undefined,
      reason: "this container has no number for a user without rights",
      remedy: "Run Haft as an ordinary user, or give the container at least 65,536 user numbers.",
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

function listNeeded(place: SandboxPlace): readonly NeededPlace[] {
  const { toolchains, files } = describeMachine(place);
  const needed: readonly NeededPlace[] = [
    ...place.roots.map(findLanding).map((path) => ({ path, how: "write" }) as const),
    ...[...toolchains.directories, ...(place.reads ?? [])].map(
      (path) => ({ path, how: "read" }) as const,
    ),
    { path: ownPackage(), how: "read" },
    // The sockets that lead out of sandboxes are there.
    { path: findLanding(tmpdir()), how: "as-is" },
    { path: findLanding(files.directory), how: "as-is" },
    { path: findLanding(files.probe), how: "write" },
  ];
  return needed.filter(({ path }) => existsSync(path) && !isSystemPlace(path));
}

/** The directory of the package that this file is in: the broker's script and others are there. */
function ownPackage(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let at = here; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
  }
  return here;
}
