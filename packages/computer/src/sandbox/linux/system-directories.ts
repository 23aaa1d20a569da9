import { lstatSync, readlinkSync } from "node:fs";

/** Where a system keeps programs and what they need; everybody can read all that matters in them. */
export const systemDirectories: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix/store",
  "/gnu/store",
];

/** Directories that are not a place to work in, because the system itself is in them. */
export const systemPlaces: readonly string[] = [
  ...systemDirectories,
  "/etc",
  "/boot",
  "/proc",
  "/sys",
  "/dev",
  "/run",
];

/** What bubblewrap is told so that the system is there, and can't be changed. */
export function showSystem(): readonly string[] {
  return systemDirectories.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
    return stats?.isDirectory() ? ["--ro-bind", path, path] : [];
  });
}
