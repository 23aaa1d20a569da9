import { existsSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import type { GuardedPaths, GuardedRoots } from "../guard/guard.ts";
import type { Machine } from "./machine.ts";
import { MountOptions, type ShownRoot } from "./mount-options.ts";

/** What a run may touch, and what in it is guarded. */
export interface RunMounts extends GuardedRoots {
  readonly guarded: GuardedPaths;
  /** Files to show at another path: from, to. */
  readonly shown: readonly (readonly [from: string, to: string])[];
  /** Directories that appear empty, except for what else is shown in them. */
  readonly emptied: readonly string[];
}

// How this machine was booted, and where its disks are.
const tellingFiles = ["/proc/cmdline", "/proc/bootconfig", "/proc/swaps", "/proc/keys"];

const sharedMemoryBytes = 256 * 1024 * 1024;

/** Lists the mounts of a run's sandbox. Whatever is not listed does not exist there. */
export function listRunMounts(
  run: RunMounts,
  machine: Machine,
  firstDescriptor: number,
): MountOptions {
  const { readable, writable, guarded, shown, emptied } = run;
  const { toolchains, user, files, place } = machine;
  const list = new MountOptions(firstDescriptor);
  const roots = [...readable, ...writable];
  const isShown = (path: string): boolean => roots.some((root) => isInside(root, path));

  list.add(...machine.system);
  list.add("--ro-bind", files.etc(), "/etc");
  // The kernel's settings stay read-only, even if a user could ever pass for root.
  list.add("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys");
  for (const path of place.isBare ? tellingFiles : []) {
    if (existsSync(path)) list.add("--ro-bind", files.unreadable, path);
  }
  list.add("--dev", "/dev");
  if (!isShown("/dev/shm")) list.addScratch("/dev/shm", sharedMemoryBytes, "1777");
  list.add("--remount-ro", "/dev");
  for (const path of ["/tmp", "/var/tmp"]) {
    if (!isShown(path)) list.addScratch(path, machine.scratchBytes, "1777");
  }
  if (!isShown(user.home)) list.addScratch(user.home, machine.scratchBytes);
  for (const path of toolchains.directories) {
    if (!isShown(path)) list.add("--ro-bind", path, path);
  }
  const ordered = orderRoots(run);
  for (const { path, mode } of ordered) list.show(path, mode);
  for (const path of guarded.unwritable) list.show(path, "read");
  for (const path of emptied) {
    const inside = [...toolchains.directories, ...readable].filter((each) => isInside(path, each));
    list.addScratch(path, 4096, "0755");
    for (const each of inside) list.add("--ro-bind", each, each);
    list.add("--remount-ro", path);
  }
  const rootsIn = (directory: string): readonly ShownRoot[] =>
    ordered.filter(({ path }) => path !== directory && isInside(directory, path));
  // Parent directories of roots come first, so that guards inside these come on top.
  const outer = guarded.hidden.filter(
    ({ path, isDenied }) => !isDenied && rootsIn(path).length > 0,
  );
  for (const { path } of outer) list.close(path, rootsIn(path));
  const own = writable.filter((path) => isInside(place.stateDirectory, path));
  if (isShown(place.stateDirectory)) {
    list.close(
      place.stateDirectory,
      own.map((path) => ({ path, mode: "write" })),
    );
  }
  const isCovered = (path: string): boolean =>
    isInside(place.stateDirectory, path) && !own.some((root) => isInside(root, path));

  for (const path of guarded.immovable) if (!isCovered(path)) list.show(path, "write");
  for (const path of guarded.unchangeable) if (!isCovered(path)) list.show(path, "read");
  const secrets = toolchains.findSecrets().filter(({ path }) => !isShown(path));
  const hidden = guarded.hidden.filter((found) => !outer.includes(found) && !isCovered(found.path));
  for (const { path, type } of [...secrets, ...hidden]) {
    if (type === "directory") list.close(path);
    else list.add("--ro-bind", files.unreadable, path);
  }
  for (const [from, to] of shown) list.add("--ro-bind", from, to);
  list.add("--remount-ro", "/");
  return list;
}

/** Outer directories first, so that they do not cover what is in them. */
function orderRoots({ readable, writable }: GuardedRoots): readonly ShownRoot[] {
  const outside = readable.filter((path) => !writable.some((root) => isInside(root, path)));
  const isOutermost = (path: string): boolean =>
    !writable.some((root) => root !== path && isInside(root, path));
  return [
    ...outside.map((path) => ({ path, mode: "read" as const })),
    ...[...new Set(writable)].filter(isOutermost).map((path) => ({ path, mode: "write" as const })),
  ].sort((a, b) => a.path.length - b.path.length);
}
