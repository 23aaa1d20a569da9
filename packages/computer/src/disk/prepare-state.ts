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
import type { Place } from "./place.ts";
import { takePlace } from "./put-state.ts";
import { isSystemError } from "./system-error.ts";
import { nameTemporary, removeTemporary, writeTemporaryFile } from "./temporary-file.ts";

/** What shall be at a place, ready to take it in one step. */
export interface PreparedState {
  /** When it is whole and, if asked for, on the disk; `undefined` if it is now. */
  readonly ready: Promise<void> | undefined;
  /** Takes the place, or fails and does nothing. */
  take(): void;
  /** The version of what has taken the place; `undefined` if nothing is left there. */
  version(): string | undefined;
  /** Clears away what did not take the place. */
  drop(): void | Promise<void>;
}

/** A place, and what is known of it. */
export interface PlaceFound {
  readonly place: Place;
  readonly found: BigIntStats | undefined;
  readonly asked: string;
}

/** Gets ready what a change will put at a place. All that needs room or permission happens here. */
export function prepareState(to: PathState, target: PlaceFound, flush: boolean): PreparedState {
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
  target: PlaceFound,
  flush: boolean,
): PreparedState {
  const like = target.found?.isFile() ? target.found : undefined;
  const options = { like, mode, flush, inTurns: true };
  const file = writeTemporaryFile(target.place.directory, [content], options);
  return {
    ready: file.ready,
    take: () => {
      takePlace(file.name, target);
      file.moved();
    },
    version: () => versionOf(fstatSync(file.fd, { bigint: true })),
    drop: file.drop,
  };
}

function prepareLink(leadsTo: string, target: PlaceFound): PreparedState {
  const { directory } = target.place;
  const name = nameTemporary();
  symlinkSync(leadsTo, directory.at(name));
  let isTaken = false;
  return {
    ready: undefined,
    take: () => {
      takePlace(name, target);
      isTaken = true;
    },
    version: () => versionAt(target.place),
    drop: () => {
      if (!isTaken) removeTemporary(directory, name);
    },
  };
}

// Made at once: other changes may put something into it. An empty directory harms nobody.
function prepareDirectory(mode: number | undefined, { place, found }: PlaceFound): PreparedState {
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

function prepareRemoval({ place, found }: PlaceFound): PreparedState {
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

function versionAt(place: Place): string | undefined {
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
