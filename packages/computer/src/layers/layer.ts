import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "@haft/contract/internal";
import { makeDirectories } from "../session/make-directories.ts";
import { makeUniqueName } from "../session/unique-name.ts";

/** Where a command's changes go instead of the workspace. A layer serves one run. */
export interface Layer {
  /** Holds all of it. */
  readonly directory: string;
  readonly roots: readonly LayerRoot[];
}

/** The overlay of one directory of the workspace. */
export interface LayerRoot {
  /** The directory in the workspace, links resolved. */
  readonly path: string;
  /** Receives the changes, in the format of overlayfs. */
  readonly upper: string;
  /** Scratch space of the kernel. */
  readonly work: string;
  /** Where the run's launcher mounts the overlay, in a mount namespace of its own. */
  readonly merged: string;
}

/** The directory of all layers. */
export function findLayers(stateDirectory: string): string {
  return join(stateDirectory, "layers");
}

/** Makes the directory of all layers. Those in it are closed to others. */
export function prepareLayers(stateDirectory: string): string {
  const layers = findLayers(stateDirectory);
  makeDirectories(layers, 0o700);
  // The owner of a workspace must get through to root's layers, whatever the umask.
  if (process.getuid?.() === 0) chmodSync(layers, 0o711);
  return layers;
}

/**
 * Makes an empty layer for directories of the workspace, links resolved. Directories inside others are
 * part of the others' layer.
 */
export function createLayer(stateDirectory: string, roots: readonly string[]): Layer {
  const directory = join(prepareLayers(stateDirectory), makeUniqueName());
  const isOutermost = (path: string): boolean =>
    !roots.some((root) => root !== path && isInside(root, path));
  const outermost = [...new Set(roots)].filter(isOutermost);
  const [first] = outermost;
  if (first === undefined) throw new TypeError("A layer needs at least one directory.");
  makeOwned(directory, first, 0o700);
  return {
    directory,
    roots: outermost.map((path, index) => {
      const own = join(directory, `${index}`);
      makeOwned(own, path, 0o700);
      const [upper, work, merged] = [join(own, "upper"), join(own, "work"), join(own, "merged")];
      // The overlay has the permissions of `upper`.
      makeOwned(upper, path, statSync(path).mode & 0o7777);
      makeOwned(work, path, 0o700);
      makeOwned(merged, path, 0o700);
      return { path, upper, work, merged };
    }),
  };
}

/** Makes a directory that belongs to the owner of another, as far as this user may give it away. */
export function makeOwned(path: string, like: string, mode: number): void {
  mkdirSync(path, 0o700);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(like);
    chownSync(path, uid, gid);
  }
  // After that, because a change of the owner takes away some permissions; and whatever the umask.
  chmodSync(path, mode);
}

/** Removes a layer with everything in it. Its run must have ended. */
export async function removeLayer({ directory }: Pick<Layer, "directory">): Promise<void> {
  // The kernel leaves a directory that its owner can't list, and a command may leave others.
  if (process.getuid?.() !== 0 && existsSync(directory)) {
    await openDirectories(Buffer.from(directory));
  }
  await rm(directory, { recursive: true, force: true });
}

// Names need not be valid text.
async function openDirectories(directory: Buffer): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true, encoding: "buffer" })) {
    if (!entry.isDirectory()) continue;
    await openDirectories(Buffer.concat([directory, Buffer.from("/"), entry.name]));
  }
}
