import { isInside } from "../../paths/path-parts.ts";
import type { GuardedPlaces, GuardedRoots } from "../guard/guard.ts";
import type { Machine } from "./machine.ts";
import { MountList } from "./mount-list.ts";

/** What a run may touch, and what in it may not be touched. */
export interface RunMounts extends GuardedRoots {
  readonly guarded: GuardedPlaces;
  /** Files to show elsewhere than where they are: from, to. */
  readonly shown: readonly (readonly [from: string, to: string])[];
}

const sharedMemoryBytes = 256 * 1024 * 1024;

/** Says what is where in the sandbox of a run. Where nothing is said, nothing is. */
export function listMounts(run: RunMounts, machine: Machine, firstDescriptor: number): MountList {
  const { readable, writable, guarded, shown } = run;
  const { toolchains, user, files, place } = machine;
  const list = new MountList(firstDescriptor);
  const roots = [...readable, ...writable];
  const isShown = (path: string): boolean => roots.some((root) => isInside(root, path));

  list.add(...machine.system);
  list.add("--ro-bind", files.etc(), "/etc");
  // The kernel's own settings stay as they are, even if a user could ever be taken for root.
  list.add("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys");
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
  for (const { path, mode } of orderRoots(run)) list.show(path, mode);

  for (const path of guarded.immovable) list.show(path, "write");
  for (const path of guarded.unchangeable) list.show(path, "read");
  const secrets = toolchains.findSecrets().filter(({ path }) => !isShown(path));
  for (const { path, type } of [...secrets, ...guarded.secrets]) {
    if (type === "directory") list.close(path);
    else list.add("--ro-bind", files.unreadable, path);
  }
  if (isShown(place.stateDirectory)) {
    const own = writable.filter((path) => isInside(place.stateDirectory, path));
    list.close(place.stateDirectory, own);
  }
  for (const [from, to] of shown) list.add("--ro-bind", from, to);
  list.add("--remount-ro", "/");
  return list;
}

/** Outer directories first, so that they do not cover what is in them. */
function orderRoots({
  readable,
  writable,
}: GuardedRoots): readonly { readonly path: string; readonly mode: "read" | "write" }[] {
  const outside = readable.filter((path) => !writable.some((root) => isInside(root, path)));
  const isOutermost = (path: string): boolean =>
    !writable.some((root) => root !== path && isInside(root, path));
  return [
    ...outside.map((path) => ({ path, mode: "read" as const })),
    ...[...new Set(writable)].filter(isOutermost).map((path) => ({ path, mode: "write" as const })),
  ].sort((a, b) => a.path.length - b.path.length);
}
