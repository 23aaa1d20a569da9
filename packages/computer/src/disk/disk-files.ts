import type { FileSystem, PathChange } from "@haft/contract";
import { NewContent } from "../paths/new-content.ts";
import { copyState } from "../paths/path-state.ts";
import { findFiles } from "../search/find-files.ts";
import { findText } from "../search/find-text.ts";
import { changePaths } from "./change-paths.ts";
import { type DiskCall, pinJudged } from "./disk-call.ts";
import { toFileStat } from "./file-version.ts";
import { listDirectory } from "./list-directory.ts";
import { loadFile } from "./load-file.ts";
import { moveFile } from "./move-file.ts";
import { readFile } from "./read-file.ts";
import { removeEntry } from "./remove-entry.ts";
import { replaceFile } from "./replace-file.ts";
import { enterTurn, isTurnSpent } from "./turn-budget.ts";

const encoder = new TextEncoder();

// To copy more than this takes longer than to write it, and such writes do not come in crowds.
const longContent = 64 * 1024;

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
      const isText = typeof content === "string";
      const bytes = isText ? encoder.encode(content) : content;
      if (bytes.length > longContent || !isTurnSpent()) {
        return replaceFile(
          resolve(path),
          { content: NewContent.from(bytes, isText), options },
          call,
        );
      }
      // A copy: the caller may change its bytes while we wait.
      const copy = isText ? bytes : bytes.slice();
      await enterTurn();
      return replaceFile(resolve(path), { content: NewContent.from(copy, true), options }, call);
    },
    splice: async (path, splices, { content: old, version }) => {
      let content = NewContent.splice(old, splices);
      if (content.length <= longContent && isTurnSpent()) {
        content = content.own();
        await enterTurn();
      }
      return replaceFile(resolve(path), { content, options: { expect: version } }, call);
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
    load: async (path) => {
      if (isTurnSpent()) await enterTurn();
      return loadFile(resolve(path), call);
    },
    change: async (changes) => {
      // A copy: the caller may change its bytes while we wait.
      const own = changes.map(({ path, to, ...conditions }): PathChange => {
        return { ...conditions, path: resolve(path), to: copyState(to) };
      });
      if (isTurnSpent()) await enterTurn();
      return changePaths(own, call);
    },
    findFiles: async (query) => findFiles({ ...query, directory: resolve(query.directory) }, call),
    findText: async (query) => findText({ ...query, path: resolve(query.path) }, call),
  };
}
