import { readFileSync, statSync } from "node:fs";
import { isInside, toErrorMessage } from "@haft/contract/internal";
import { findLanding } from "../disk/landing.ts";
import { explainNamespaces, type Obstacle } from "../sandbox/linux/explain-failure.ts";
import { findExecutable } from "../sandbox/linux/find-executable.ts";
import type { ProbeLaunch, SandboxContext } from "../sandbox/sandbox-context.ts";
import { createLayer, findLayers, prepareLayers, removeLayer } from "./layer.ts";
import { startOnLayer } from "./start-on-layer.ts";

/** Whether commands can run on a layer of the workspace, else why not and what would help. */
export type LayerSupport =
  | { readonly isAvailable: true }
  | ({ readonly isAvailable: false } & Obstacle);

/** Finds out whether commands can run on a layer, by mounting one. */
export async function examineLayers(
  place: SandboxContext,
  launch: ProbeLaunch,
): Promise<LayerSupport> {
  try {
    const perl = findExecutable("perl", place);
    const obstacle =
      perl === undefined
        ? missingPerl
        : (findObstacle(place) ?? (await tryLayer(perl, place, launch)));
    return obstacle === undefined ? { isAvailable: true } : { isAvailable: false, ...obstacle };
  } catch (error) {
    return {
      isAvailable: false,
      reason: `a layer can't be made: ${toErrorMessage(error)}`,
      remedy: `Make ${place.stateDirectory} a directory that you can write to.`,
    };
  }
}

/** What layers need, and how to get it. */
export const missingPerl: Obstacle = {
  reason: "layers are mounted with Perl, which is not installed",
  remedy: "Install perl (Debian: `apt-get install perl-base`).",
};

function findObstacle(place: SandboxContext): Obstacle | undefined {
  if (place.isBare) {
    return {
      reason: "sandboxes for untrusted programs have none",
      remedy: "Use a computer without `isBare`.",
    };
  }
  const roots = place.roots.map(findLanding);
  const layers = findLanding(findLayers(place.stateDirectory));
  const overlapping = roots.find((root) => isInside(root, layers) || isInside(layers, root));
  if (overlapping !== undefined) {
    return {
      reason: `the state directory ${place.stateDirectory} and the workspace ${overlapping} contain one another`,
      remedy: "Work in a subdirectory, or set HAFT_HOME to a directory outside the workspace.",
    };
  }
  return findForeignOwner(roots) ?? findUnfitMount(roots, prepareLayers(place.stateDirectory));
}

// Root's layers appear as files of an unprivileged user, who can stand for one owner only.
function findForeignOwner(roots: readonly string[]): Obstacle | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owners = roots.map((root) => statSync(root)).map(({ uid, gid }) => `${uid}:${gid}`);
  const other = owners.findIndex((owner) => owner !== owners[0]);
  if (other < 0) return undefined;
  return {
    reason: `${roots[0]} and ${roots[other]} belong to different users or groups`,
    remedy: "Give them the same owner and group, or run Haft as an ordinary user.",
  };
}

function findUnfitMount(roots: readonly string[], layers: string): Obstacle | undefined {
  const mounts = readMounts();
  const inner = mounts.find(({ path }) =>
    roots.some((root) => path !== root && isInside(root, path)),
  );
  if (inner !== undefined) {
    return {
      reason: `something is mounted inside the workspace, at ${inner.path} (${inner.type})`,
      remedy: "Unmount it, or work in a directory that contains no mount.",
    };
  }
  // Of several mounts at a path the last is seen.
  const type = mounts
    .filter(({ path }) => isInside(path, layers))
    .reduce((best, mount) => (mount.path.length >= best.path.length ? mount : best)).type;
  if (!unfitTypes.test(type)) return undefined;
  return {
    reason: `the state directory is on a file system that can't hold layers (${type})`,
    remedy:
      "Set HAFT_HOME to a directory on ext4, xfs, btrfs or tmpfs; in a container, on a volume.",
  };
}

const unfitTypes =
  /^(?:overlay|aufs|nfs\d?|fuse(?:blk|\..*)?|virtiofs|cifs|smb3|9p|vfat|exfat|msdos|ntfs3?|ecryptfs)$/u;

function readMounts(): readonly { readonly path: string; readonly type: string }[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").trim().split("\n");
  return lines.map((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , , path = ""] = before.split(" ");
    return { path: path.replaceAll(/\\(\d{3})/gu, decodeOctal), type: after.split(" ")[0] ?? "" };
  });
}

function decodeOctal(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}

async function tryLayer(
  perl: string,
  place: SandboxContext,
  launch: ProbeLaunch,
): Promise<Obstacle | undefined> {
  const roots = place.roots.map(findLanding);
  const layer = createLayer(place.stateDirectory, roots);
  try {
    const written = layer.roots.map(({ path }, index) => ({ descriptor: 3 + index, path }));
    const { argv, descriptors } = startOnLayer(
      {
        argv: [perl, "-e", "print qq(mounted\\n)"],
        descriptors: written.map(({ path }) => ({ role: "place", path })),
      },
      { perl, layer, written },
    );
    const [program, ...args] = argv;
    const plan = { program, args, descriptors, environment: {}, cwd: "/", endsTogether: false };
    const { output } = await launch(plan);
    return output === "mounted\n" ? undefined : explain(output);
  } finally {
    await removeLayer(layer);
  }
}

function explain(output: string): Obstacle {
  const said = output.trim().slice(0, 500) || "nothing was printed";
  if (/namespace|_map|setgroups|not permitted|Permission denied/u.test(said)) {
    return {
      reason: `this system refuses to mount them for ordinary users: ${said}`,
      remedy: explainNamespaces(),
    };
  }
  return {
    reason: `the kernel can't mount them: ${said}`,
    remedy: "Layers need Linux 5.11 or later with overlayfs, and a file system that supports it.",
  };
}
