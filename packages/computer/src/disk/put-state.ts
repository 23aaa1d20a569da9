import {
  type BigIntStats,
  chmodSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import type { PathState } from "@haft/contract";
import { moveToFree } from "./move-to-free.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { lookAt } from "./snapshot.ts";
import { nameTemporary, writeTemporaryFile } from "./temporary-file.ts";

/**
 * Restores what was at an entry, synchronously. A file takes its owner from `like`, or from what is
 * there now.
 */
export function putState(place: PinnedEntry, state: PathState, like?: BigIntStats): void {
  const found = lookAt(place);
  const path = place.directory.at(place.name);
  switch (state.kind) {
    case "file": {
      const { content, mode } = state;
      const copy = writeTemporaryFile(place.directory, [content], { like: like ?? found, mode });
      try {
        putInPlace(copy.name, { place, found, asked: place.landing });
        copy.moved();
      } finally {
        // Written synchronously, so there is nothing to wait for.
        void copy.drop();
      }
      return;
    }
    case "link": {
      const name = nameTemporary();
      symlinkSync(state.target, place.directory.at(name));
      putInPlace(name, { place, found, asked: place.landing });
      return;
    }
    case "directory":
      mkdirSync(path);
      if (state.mode !== undefined) chmodSync(path, state.mode & 0o777);
      return;
    case "absent":
      if (found?.isDirectory()) rmdirSync(path);
      else unlinkSync(path);
  }
}

/** Renames what was prepared beside an entry over what was found there, or only if the name is unused. */
export function putInPlace(
  name: string,
  target: {
    readonly place: PinnedEntry;
    readonly found: BigIntStats | undefined;
    readonly asked: string;
  },
): void {
  const { place, found, asked } = target;
  const from = place.directory.at(name);
  if (found === undefined) moveToFree(from, place, asked);
  else renameSync(from, place.directory.at(place.name));
}
