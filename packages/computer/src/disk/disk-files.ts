import type { FileSystem } from "@haft/contract";
import { type DiskCall, pinJudged } from "./disk-call.ts";
import { toFileStat } from "./file-version.ts";
import { listDirectory } from "./list-directory.ts";
import { moveFile } from "./move-file.ts";
import { readFile } from "./read-file.ts";
import { removeEntry } from "./remove-entry.ts";
import { replaceFile } from "./replace-file.ts";
import { enterTurn, isTurnSpent } from "./turn-budget.ts";

const encoder = new TextEncoder();

/** The files of this machine, scoped to one call. */
export function openDiskFiles(resolve: (path: string) => string, call: DiskCall): FileSystem {
  return {
    resolve,
    stat: async (path) => {
      if (isTurnSpent()) await enterTurn();
      const pin = pinJudged(resolve(path), "look", call);
      pin.close();
      return toFileStat(pin.stats);
    },
    // Handed on, not awaited: a promise that becomes another promise costs as much as a small read.
    read: (path, window) => readFile({ path, window }, resolve, call),
    write: async (path, content, options = {}) => {
      // A copy: the caller may change its bytes while we wait.
      const bytes = typeof content === "string" ? encoder.encode(content) : content.slice();
      if (isTurnSpent()) await enterTurn();
      return replaceFile(resolve(path), { content: bytes, options }, call);
    },
    list: async (path) => {
      if (isTurnSpent()) await enterTurn();
      return listDirectory(resolve(path), call);
    },
    remove: async (path) => {
      if (isTurnSpent()) await enterTurn();
      return removeEntry(resolve(path), call);
    },
    move: async (from, to) => {
      if (isTurnSpent()) await enterTurn();
      return moveFile({ from: resolve(from), to: resolve(to) }, call);
    },
  };
}
