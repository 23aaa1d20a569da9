import {
  type BigIntStats,
  chmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import type { PathState } from "@haft/contract";
import { versionOf } from "./file-version.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { putInPlace } from "./put-state.ts";
import { isSystemError } from "./system-error.ts";
import { nameTemporary, removeTemporary, writeTemporaryFile } from "./temporary-file.ts";

/** A prepared state, ready to be put in place in one step. */
export interface PreparedState {
  /** Resolves when it is complete and, if requested, flushed; `undefined` if it already is. */
  readonly ready: Promise<void> | undefined;
  /** Puts it in place, or fails and does nothing. */
  take(): void;
  /** The version of what is in place now; `undefined` if nothing is left there. */
  version(): string | undefined;
  /** Removes what was not put in place. */
  drop(): void | Promise<void>;
}

/** An entry, and what is known about it. */
export interface FoundEntry {
  readonly place: PinnedEntry;
  readonly found: BigIntStats | undefined;
  readonly asked: string;
}

/** Prepares what a change will put in place. Everything that needs space or permission happens here. */
export function prepareState(to: PathState, target: FoundEntry, flush: boolean): PreparedState {
  switch (to.kind) {
    case "file":
      return prepareFile(to, target, flush);
    case "link":
      return prepareLink(to.target, target);
    case "directory":
      return prepareDirectory(to.mode, target);
    case "absent":
      return prepareRemoval(target);
  }
}

function prepareFile(
  { content, mode }: PathState & { kind: "file" },
  target: FoundEntry,
  flush: boolean,
): PreparedState {
  const like = target.found?.isFile() ? target.found : undefined;
  const options = { like, mode, flush, inTurns: true };
  const file = writeTemporaryFile(target.place.directory, [content], options);
  return {
    ready: file.ready,
    take: () => {
      putInPlace(file.name, target);
      file.moved();
    },
    version: () => versionOf(fstatSync(file.fd, { bigint: true })),
    drop: file.drop,
  };
}

function prepareLink(leadsTo: string, target: FoundEntry): PreparedState {
  const { directory } = target.place;
  const name = nameTemporary();
  symlinkSync(leadsTo, directory.at(name));
  let isTaken = false;
  return {
    ready: undefined,
    take: () => {
      putInPlace(name, target);
      isTaken = true;
    },
    version: () => versionAt(target.place),
    drop: () => {
      if (!isTaken) removeTemporary(directory, name);
    },
  };
}

// Created at once: other changes may put something into it. An empty directory does no harm.
function prepareDirectory(mode: number | undefined, { place, found }: FoundEntry): PreparedState {
  const path = place.directory.at(place.name);
  let isOurs = found === undefined;
  if (isOurs) {
    mkdirSync(path);
    if (mode !== undefined) chmodSync(path, mode & 0o777);
  }
  return {
    ready: undefined,
    take: () => {
      isOurs = false;
    },
    version: () => versionAt(place),
    drop: () => {
      if (isOurs) removeQuietly(path);
    },
  };
}

function prepareRemoval({ place, found }: FoundEntry): PreparedState {
  const path = place.directory.at(place.name);
  return {
    ready: undefined,
    take: () => {
      if (found?.isDirectory()) rmdirSync(path);
      else if (found !== undefined) unlinkSync(path);
    },
    version: () => undefined,
    drop: () => {},
  };
}

function versionAt(place: PinnedEntry): string | undefined {
  const path = place.directory.at(place.name);
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && versionOf(stats);
}

function removeQuietly(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
