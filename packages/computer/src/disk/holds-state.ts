import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import type { PathState } from "@haft/contract";
import { isSystemError } from "./system-error.ts";

/** Returns whether a path is in exactly this state, permissions aside. Links are not followed. */
export function holdsState(path: string, state: PathState): boolean {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? state.kind === "absent" : isSame(path, found, state);
  } catch (error) {
    // A parent may not be a directory, for example: then nothing is there.
    if (isSystemError(error)) return state.kind === "absent" && error.code === "ENOTDIR";
    throw error;
  }
}

function isSame(path: string, found: BigIntStats, state: PathState): boolean {
  switch (state.kind) {
    case "file":
      return (
        found.isFile() &&
        Number(found.size) === state.content.length &&
        holdsContent(path, state.content)
      );
    case "link":
      return found.isSymbolicLink() && readlinkSync(path) === state.target;
    case "directory":
      return found.isDirectory();
    case "absent":
      return false;
  }
}

const chunkSize = 256 * 1024;

function holdsContent(path: string, content: Uint8Array): boolean {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    if (!fstatSync(fd).isFile()) return false;
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, content.length + 1));
    for (let at = 0; ; ) {
      const count = readSync(fd, chunk, 0, chunk.length, at);
      if (count === 0) return at === content.length;
      if (chunk.compare(content, at, Math.min(at + count, content.length), 0, count) !== 0)
        return false;
      at += count;
    }
  } finally {
    closeSync(fd);
  }
}
