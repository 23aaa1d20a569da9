import { lstatSync, readlinkSync } from "node:fs";

/** Where a system keeps programs and what they need; all that matters in them is world-readable. */
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

/** The part of the system that only its package manager writes; all that untrusted programs see of it. */
export const baseDirectories: readonly string[] = systemDirectories.flatMap((path) => {
  if (path === "/opt") return [];
  if (path !== "/usr") return [path];
  return ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share"].map(
    (name) => `/usr/${name}`,
  );
});

/** Directories in these that untrusted programs find empty: npm installs what people choose there. */
export const emptiedDirectories: readonly string[] = ["/usr/lib/node_modules"];

/** Directories that can't be a workspace, because they contain the system itself. */
export const systemPaths: readonly string[] = [
  ...systemDirectories,
  "/etc",
  "/boot",
  "/proc",
  "/sys",
  "/dev",
  "/run",
];

/** Returns the bubblewrap options that show the system read-only. */
export function showSystem(directories: readonly string[]): readonly string[] {
  return directories.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
    return stats?.isDirectory() ? ["--ro-bind", path, path] : [];
  });
}
