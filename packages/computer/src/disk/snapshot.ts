import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { mostBytesToRead } from "../paths/clamp-window.ts";
import { tooLargeToChange } from "../paths/path-errors.ts";
import { versionOf } from "./file-version.ts";
import type { Place } from "./place.ts";
import { readBytes } from "./read-bytes.ts";
import { requireRegular } from "./read-file.ts";

/** A file as it was at one moment. */
export interface Snapshot {
  readonly stats: BigIntStats;
  readonly content: Uint8Array;
}

/** What is at a place now, a link being just a link. */
export function lookAt(place: Place): BigIntStats | undefined {
  return lstatSync(place.directory.at(place.name), { bigint: true, throwIfNoEntry: false });
}

/** Reads the file at a place, so that the journal can keep what it held. */
export async function takeSnapshot(place: Place, asked: string): Promise<Snapshot> {
  const fd = openSync(
    place.directory.at(place.name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const stats = fstatSync(fd, { bigint: true });
    requireRegular(stats, asked);
    const size = Number(stats.size);
    if (size > mostBytesToRead) throw tooLargeToChange(asked, size, mostBytesToRead);
    const content = readBytes(fd, 0, size);
    return { stats, content: content instanceof Promise ? await content : content };
  } finally {
    closeSync(fd);
  }
}

/** Tells whether a place still holds what was seen there. */
export function isUnchanged(place: Place, seen: BigIntStats | undefined): boolean {
  const now = lookAt(place);
  if (now === undefined || seen === undefined) return now === seen;
  return versionOf(now) === versionOf(seen);
}
