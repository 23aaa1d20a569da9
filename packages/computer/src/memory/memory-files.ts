import type { FileStat, FileSystem } from "@haft/contract";
import { clampWindow } from "../paths/clamp-window.ts";
import { NewContent } from "../paths/new-content.ts";
import { isDirectory, notDirectory } from "../paths/path-errors.ts";
import type { Access } from "../paths/path-policy.ts";
import {
  changePaths,
  type MemoryCall,
  moveFile,
  removeEntry,
  replaceFile,
} from "./memory-changes.ts";
import { findFiles, findText } from "./memory-search.ts";
import type { MemoryNode } from "./memory-tree.ts";

const encoder = new TextEncoder();

/** The files in memory, scoped to one call. Every change is synchronous, hence one step. */
export function openMemoryFiles(resolve: (path: string) => string, call: MemoryCall): FileSystem {
  const find = (
    path: string,
    access: Exclude<Access, "change">,
  ): [asked: string, node: MemoryNode] => {
    const asked = resolve(path);
    call.policy.judge(access, asked, asked);
    return [asked, call.tree.get(asked)];
  };
  return {
    resolve,
    stat: async (path) => toFileStat(find(path, "look")[1]),
    read: async (path, window) => {
      const [asked, node] = find(path, "read");
      if (node.kind === "directory") throw isDirectory(asked);
      const { offset, length } = clampWindow(window, node.content.length, asked);
      return node.content.slice(offset, offset + length);
    },
    write: async (path, content, options = {}) => {
      const bytes = typeof content === "string" ? encoder.encode(content) : content;
      return replaceFile(resolve(path), { content: bytes, options }, call);
    },
    splice: async (path, splices, { content: old, version }) => {
      const content = NewContent.splice(old, splices).whole;
      return replaceFile(resolve(path), { content, options: { expect: version } }, call);
    },
    list: async (path) => {
      const [asked, node] = find(path, "list");
      if (node.kind === "file") throw notDirectory(asked);
      return [...node.entries]
        .map(([name, { kind }]) => ({ name, kind }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    remove: async (path) => removeEntry(resolve(path), call),
    move: async (from, to) => moveFile({ from: resolve(from), to: resolve(to) }, call),
    load: async (path) => {
      const [asked, node] = find(path, "read");
      if (node.kind === "directory") throw isDirectory(asked);
      return { content: node.content.slice(), version: node.version };
    },
    change: async (changes) =>
      changePaths(
        changes.map((change) => ({ ...change, path: resolve(change.path) })),
        call,
      ),
    findFiles: async (query) => findFiles({ ...query, directory: resolve(query.directory) }, call),
    findText: async (query) => findText({ ...query, path: resolve(query.path) }, call),
  };
}

function toFileStat(node: MemoryNode): FileStat {
  const { kind, modifiedMs, version } = node;
  return node.kind === "file"
    ? { kind, size: node.content.length, modifiedMs, mode: node.mode, version }
    : { kind, size: 0, modifiedMs, mode: 0o755, version };
}
