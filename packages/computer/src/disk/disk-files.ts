import type { FileSystem, PathChange } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import { findKept } from "../moves/kept-states.ts";
import { isRestoration, restorePaths } from "../moves/restore-paths.ts";
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

const encoder = new TextEncoder();

// Copying more than this takes longer than writing it, and such writes are rare.
const longContent = 64 * 1024;

/** The files of this machine, scoped to one call. */
export function openDiskFiles(resolve: (path: string) => string, call: DiskCall): FileSystem {
  return {
    resolve,
    stat: async (path) => {
      if (isTimeSliceSpent()) await enterTimeSlice();
      const pin = pinJudged(resolve(path), "look", call);
      pin.close();
      return toFileStat(pin.stats);
    },
    // Returned, not awaited: a promise that resolves to another promise costs as much as a small read.
    read: (path, window) => readFile({ path, window }, resolve, call),
    write: async (path, content, options = {}) => {
      const isText = typeof content === "string";
      const bytes = isText ? encoder.encode(content) : content;
      if (bytes.length > longContent || !isTimeSliceSpent()) {
        return replaceFile(
          resolve(path),
          { content: NewContent.from(bytes, isText), options },
          call,
        );
      }
      // A copy: the caller may change its bytes while we wait.
      const copy = isText ? bytes : bytes.slice();
      await enterTimeSlice();
      return replaceFile(resolve(path), { content: NewContent.from(copy, true), options }, call);
    },
    splice: async (path, splices, { content: old, version }) => {
      let content = NewContent.splice(old, splices);
      if (content.length <= longContent && isTimeSliceSpent()) {
        content = content.own();
        await enterTimeSlice();
      }
      return replaceFile(resolve(path), { content, options: { expect: version } }, call);
    },
    list: async (path) => {
      if (isTimeSliceSpent()) await enterTimeSlice();
      return listDirectory(resolve(path), call);
    },
    remove: async (path) => {
      if (isTimeSliceSpent()) await enterTimeSlice();
      return removeEntry(resolve(path), call);
    },
    move: async (from, to) => {
      if (isTimeSliceSpent()) await enterTimeSlice();
      return moveFile({ from: resolve(from), to: resolve(to) }, call);
    },
    load: async (path) => {
      if (isTimeSliceSpent()) await enterTimeSlice();
      return loadFile(resolve(path), call);
    },
    change: async (changes) => {
      // A copy: the caller may change its bytes while we wait. What the journal has is its own.
      const own = changes.map(({ path, to, ...conditions }): PathChange => {
        const at = resolve(path);
        return { ...conditions, path: at, to: findKept(at, to) ? to : copyState(to) };
      });
      if (isTimeSliceSpent()) await enterTimeSlice();
      return isRestoration(own) ? restorePaths(own, call) : changePaths(own, call);
    },
    findFiles: async (query) => findFiles({ ...query, directory: resolve(query.directory) }, call),
    findText: async (query) => findText({ ...query, path: resolve(query.path) }, call),
  };
}
