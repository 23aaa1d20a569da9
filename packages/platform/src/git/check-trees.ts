import { isUtf8 } from "node:buffer";
import type { GitProcess } from "./git-process.ts";
import { LargeObject, type ReadObject, readObjects } from "./read-objects.ts";
import { toShownName } from "./shown-name.ts";
import { readTreeObject } from "./tree-object.ts";

/** How large what a push brings may be. */
export const treeLimits = {
  /** Of a path, in bytes. */
  pathBytes: 4_096,
  /** Files and folders in the tree of one commit. */
  entries: 100_000,
  /** Different folders that one push brings. */
  trees: 500_000,
  treeBytes: 33_554_432,
} as const;

/** What has to be known of a folder to judge those that hold it. */
interface Folder {
  readonly folders: readonly { readonly hash: string; readonly nameBytes: number }[];
  entries: number;
  longestPath: number;
}

/**
 * Looks at every folder that a push brings, and says what is wrong with the first that can't be
 * taken. A folder that occurs many times is counted many times and read once, so that one that
 * unfolds into billions of files is found out without unfolding it.
 */
export async function checkTrees(
  hashes: readonly string[],
  startReading: () => GitProcess,
): Promise<string | undefined> {
  if (hashes.length > treeLimits.trees) {
    return `The push brings ${hashes.length} folders. Push at most ${treeLimits.trees} at a time: a part of the commits first.`;
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
    for await (const object of readObjects(reading.stdout, { mostBytes: treeLimits.treeBytes })) {
      const folder = toFolder(object);
      if (typeof folder === "string") return folder;
      context.folders.set(object.hash, folder);
    }
    // One that was stopped midway has seen nothing wrong with the rest.
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
  let longestPath = 0;
  for (const { mode, name, hash } of readTreeObject(tree.content)) {
    const complaint = judgeName(name);
    if (complaint !== undefined) return complaint;
    entries += 1;
    longestPath = Math.max(longestPath, name.length);
    if (mode === "40000") folders.push({ hash, nameBytes: name.length });
  }
  return { folders, entries, longestPath };
}

function judgeName(name: Buffer): string | undefined {
  const shown = toShownName(name.toString("utf8"));
  if (!isUtf8(name)) return `The name ${shown} is not UTF-8. Rename the file in every commit.`;
  for (const [index, byte] of name.entries()) {
    const isControl =
      byte < 0x20 || byte === 0x7f || (byte === 0xc2 && (name[index + 1] ?? 0xff) < 0xa0);
    if (isControl) {
      return `The name ${shown} holds a control character. Rename the file in every commit.`;
    }
    if (byte === 0x5c) {
      return `The name ${shown} holds a backslash. Rename the file in every commit.`;
    }
  }
  return undefined;
}

const tooManyEntries = `A commit holds more than ${treeLimits.entries} files and folders. Keep what is not source code elsewhere.`;

function judgeSizes(
  hashes: readonly string[],
  folders: ReadonlyMap<string, Folder>,
): string | undefined {
  const done = new Set<string>();
  for (const hash of hashes) {
    // Not recursive: nesting is as deep as whoever pushes likes.
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
        const below = nameBytes + 1 + (folders.get(inner)?.longestPath ?? 0);
        folder.longestPath = Math.max(folder.longestPath, below);
      }
      if (folder.entries > treeLimits.entries) return tooManyEntries;
      if (folder.longestPath > treeLimits.pathBytes) {
        return `A path in a commit is longer than ${treeLimits.pathBytes} bytes. Move the file up, or shorten the names, in every commit.`;
      }
    }
  }
  return undefined;
}
