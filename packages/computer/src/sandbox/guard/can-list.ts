import { accessSync, constants, existsSync, lstatSync, type Stats } from "node:fs";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../../disk/landing.ts";
import { canOthersRead } from "../root/owner-mapping.ts";
import type { SandboxContext } from "../sandbox-context.ts";

/** Returns whether commands can list a directory and reach its entries. */
export type CanList = (path: string, stats: Stats) => boolean;

/** For commands that run as the user of this process. */
export const canListMyself: CanList = (path, { uid, mode }) => {
  if (uid === process.getuid?.()) return (mode & 0o500) === 0o500;
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * For commands of root, which run as an unprivileged user: that user owns what belongs to the owner
 * of the workspace's root. Root could list everything, but guards are mounted by that user.
 */
export function canListMapped({ roots, reads = [] }: SandboxContext): CanList {
  const mapped = [...roots, ...reads.filter((path) => existsSync(path) && !canOthersRead(path))]
    .map(findLanding)
    .map((path) => ({ path, stats: lstatSync(path, { throwIfNoEntry: false }) }))
    .sort((a, b) => b.path.length - a.path.length);
  return (path, { uid, gid, mode }) => {
    const owner = mapped.find((root) => isInside(root.path, path))?.stats;
    const needed = uid === owner?.uid ? 0o500 : gid === owner?.gid ? 0o050 : 0o005;
    return (mode & needed) === needed;
  };
}
