import { isUtf8 } from "node:buffer";
import { toShownName } from "../shown-name.ts";
import type { GitProcess } from "./git-process.ts";
import { LargeObject, type ReadObject, readObjects } from "./read-objects.ts";
import { readTreeObject } from "./tree-object.ts";

/** Limits on the trees of a push. */
export const treeLimits = {
  /** Maximum length of a path in bytes. */
  pathBytes: 4_096,
  /** Maximum files and folders in the tree of one commit. */
  entries: 100_000,
  /** Maximum distinct folders in one push. */
  trees: 500_000,
  treeBytes: 33_554_432,
} as const;

/** What the checks of parent folders need to know about a folder. */
interface Folder {
  readonly folders: readonly { readonly hash: string; readonly nameBytes: number }[];
  entries: number;
  maxPathLength: number;
}

/**
 * Checks every folder of a push and returns what is wrong with the first invalid one. A folder that
 * occurs many times is counted each time but read once, so that a folder that
 * expands to billions of files is detected without expanding it.
 */
export async function checkTrees(
  hashes: readonly string[],
  startReading: () => GitProcess,
): Promise<string | undefined> {
  if (hashes.length > treeLimits.trees) {
    return `The push has ${hashes.length} folders. Push at most ${treeLimits.trees} at a time: push some of the commits first.`;
  }
  const folders = new Map<string, Folder>();
  let wanted: readonly string[] = hashes;
  while (wanted.length > 0) {
    const complaint = await readFolders(wanted, { folders, startReading });
    if (complaint !== undefined) return complaint;
    const next = new Set<string>();
    for (const hash of wanted) {
      for (const folder of folders.get(hash)?.folders ?? []) {
        if (!folders.has(folder.hash)) next.add(folder.hash);
      }
    }
    wanted = [...next];
  }
  return judgeSizes(hashes, folders);
}

async function readFolders(
  hashes: readonly string[],
  context: { readonly folders: Map<string, Folder>; startReading(): GitProcess },
): Promise<string | undefined> {
  const reading = context.startReading();
  reading.stdin.end(hashes.map((hash) => `${hash}\n`).join(""));
  try {
    for await (const object of readObjects(reading.stdout, { maxBytes: treeLimits.treeBytes })) {
      const folder = toFolder(object);
      if (typeof folder === "string") return folder;
      context.folders.set(object.hash, folder);
    }
    // If git stopped midway, the rest was not checked.
    if (hashes.some((hash) => !context.folders.has(hash))) {
      throw new Error("git ended before it had read every folder of a push.");
    }
  } catch (error) {
    if (error instanceof LargeObject) return tooManyEntries;
    throw error;
  } finally {
    reading.stop();
  }
  return undefined;
}

function toFolder(tree: ReadObject): Folder | string {
  const folders: { hash: string; nameBytes: number }[] = [];
  let entries = 0;
  let maxPathLength = 0;
  for (const { mode, name, hash } of readTreeObject(tree.content)) {
    const complaint = judgeName(name);
    if (complaint !== undefined) return complaint;
    entries += 1;
    maxPathLength = Math.max(maxPathLength, name.length);
    if (mode === "40000") folders.push({ hash, nameBytes: name.length });
  }
  return { folders, entries, maxPathLength };
}

function judgeName(name: Buffer): string | undefined {
  const shown = toShownName(name.toString("utf8"));
  if (!isUtf8(name)) return `The name ${shown} is not UTF-8. Rename the file in every commit.`;
  for (const [index, byte] of name.entries()) {
    const isControl =
      byte < 0x20 || byte === 0x7f || (byte === 0xc2 && (name[index + 1] ?? 0xff) < 0xa0);
    if (isControl) {
      return `The name ${shown} contains a control character. Rename the file in every commit.`;
    }
    if (byte === 0x5c) {
      return `The name ${shown} contains a backslash. Rename the file in every commit.`;
    }
  }
  return undefined;
}

const tooManyEntries = `A commit has more than ${treeLimits.entries} files and folders. Keep files that are not source code elsewhere.`;

function judgeSizes(
  hashes: readonly string[],
  folders: ReadonlyMap<string, Folder>,
): string | undefined {
  const done = new Set<string>();
  for (const hash of hashes) {
    // Not recursive, because a push can nest folders arbitrarily deep.
    const stack = [hash];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const folder = folders.get(top);
      const missing = done.has(top) ? [] : (folder?.folders ?? []).filter((f) => !done.has(f.hash));
      if (missing.length > 0) {
        for (const { hash: inner } of missing) stack.push(inner);
        continue;
      }
      stack.pop();
      if (folder === undefined || done.has(top)) continue;
      done.add(top);
      for (const { hash: inner, nameBytes } of folder.folders) {
        folder.entries += folders.get(inner)?.entries ?? 0;
        const below = nameBytes + 1 + (folders.get(inner)?.maxPathLength ?? 0);
        folder.maxPathLength = Math.max(folder.maxPathLength, below);
      }
      if (folder.entries > treeLimits.entries) return tooManyEntries;
      if (folder.maxPathLength > treeLimits.pathBytes) {
        return `A path in a commit is longer than ${treeLimits.pathBytes} bytes. Move the file up, or shorten the names, in every commit.`;
      }
    }
  }
  return undefined;
}
