import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** Whether this test may mount and change users. */
export const isRoot: boolean = process.getuid?.() === 0;

/** Somebody who is not root, for processes that must not get everything. */
export const nobody: { readonly uid?: number; readonly gid?: number } = isRoot
  ? { uid: 65534, gid: 65534 }
  : {};

/** A disk of this many kilobytes for the running test; needs root. */
export function mountSmallDisk(kilobytes: number): string {
  const directory = join(makeTemporaryDirectory(), "disk");
  mkdirSync(directory);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", directory]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", directory]);
  });
  return directory;
}
