import { setTimeout as wait } from "node:timers/promises";
import type { DiskCall } from "../disk/disk-call.ts";
import { anyFile, everyFile } from "./file-pattern.ts";

/** A running search of ripgrep. */
export interface BusySearch {
  /** Where it started, absolute and without links. */
  readonly directory: string;
  readonly seeksHidden: boolean;
  /** Aborted when ripgrep has ended. */
  readonly signal: AbortSignal;
}

// Most searches have ended by then, and cost nothing more.
const firstLookMs = 300;

/**
 * Looks for ignore files that ripgrep would never read to their end: it waits for a pipe, and keeps
 * all of an endless file in memory. Resolves with the files to be searched, relative to the directory,
 * as soon as such an ignore file is found. Rejects when the search has ended without one.
 */
export async function listWithoutRipgrep(
  { directory, seeksHidden, signal }: BusySearch,
  { search }: DiskCall,
): Promise<ReadonlySet<string>> {
  const tree = search.lists.tree(directory);
  const start = directory === "/" ? 1 : directory.length + 1;
  for (let pauseMs = firstLookMs; ; pauseMs *= 2) {
    await wait(pauseMs, undefined, { signal });
    const files = new Set<string>();
    let hasUnusable = false;
    await tree.walk({
      pattern: seeksHidden ? everyFile : anyFile,
      signal,
      onDirectory: ({ scope }) => {
        hasUnusable ||= scope.hasUnusable;
      },
      onFile: (path, { name }) => {
        files.add(path.length < start ? name : `${path.slice(start)}/${name}`);
      },
      onRestart: () => {
        files.clear();
        hasUnusable = false;
      },
    });
    if (hasUnusable) return files;
  }
}
