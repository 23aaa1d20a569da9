import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
} from "node:fs";
import type { PathState } from "@haft/contract";
import { mostBytesToRead } from "../paths/clamp-window.ts";
import { tooLargeToChange } from "../paths/path-errors.ts";
import { closeLater } from "./close-later.ts";
import { versionOf } from "./file-version.ts";
import type { Place } from "./place.ts";
import { fill, mostAtOnce, readBytes } from "./read-bytes.ts";
import { requireRegular } from "./read-file.ts";
import { isSystemError } from "./system-error.ts";

/** A file as it was at one moment. */
export class Snapshot {
  readonly #place: Place;
  #stats: BigIntStats;
  #fd: number | undefined;
  #content: Uint8Array | undefined;

  /** Without content, it is read from the descriptor when somebody wants it. */
  constructor(
    place: Place,
    opened: { readonly stats: BigIntStats; readonly fd?: number },
    content?: Uint8Array,
  ) {
    this.#place = place;
    this.#stats = opened.stats;
    this.#fd = opened.fd;
    this.#content = content;
  }

  get content(): Uint8Array {
    if (this.#content === undefined) {
      if (this.#fd === undefined) throw new Error("The snapshot was released before it was read.");
      this.#content = readIntoSpare(this.#fd, Number(this.#stats.size));
    }
    return this.#content;
  }

  get stats(): BigIntStats {
    return this.#stats;
  }

  get state(): PathState {
    const take = (): Uint8Array => this.content;
    return {
      kind: "file",
      mode: Number(this.#stats.mode & 0o7777n),
      get content() {
        return take();
      },
    };
  }

  /** It is not needed any more, and memory that was lent may serve for the next. */
  release(): void {
    if (this.#content?.buffer.byteLength === mostAtOnce) spare = this.#content.buffer;
    if (this.#fd === undefined) return;
    if (this.#stats.size > smallFile) closeLater(this.#fd);
    else closeSync(this.#fd);
    this.#fd = undefined;
  }

  /**
   * Gives the file a second name, under which it stays when something else takes its place. Not if
   * others have a name for it already, through which they could change it.
   */
  readonly keep = (name: string): boolean => {
    if (this.#stats.nlink !== 1n || this.#stats.uid !== BigInt(process.geteuid?.() ?? -1))
      return false;
    try {
      linkSync(this.#place.directory.at(this.#place.name), name);
    } catch (error) {
      // On another disk, say: then it is copied.
      if (isSystemError(error)) return false;
      throw error;
    }
    const now = lookAt(this.#place);
    // The link itself counts as a change.
    if (now !== undefined && isSameContent(now, this.#stats)) this.#stats = now;
    return true;
  };
}

/** What is at a place now, a link being just a link. */
export function lookAt(place: Place): BigIntStats | undefined {
  return lstatSync(place.directory.at(place.name), { bigint: true, throwIfNoEntry: false });
}

/** Reads the file at a place, so that the journal can keep what it held. */
export async function takeSnapshot(place: Place, asked: string): Promise<Snapshot> {
  const { fd, stats } = openPlain(place, asked);
  try {
    const content = readBytes(fd, 0, Number(stats.size));
    return new Snapshot(place, { stats }, content instanceof Promise ? await content : content);
  } finally {
    closeSync(fd);
  }
}

/**
 * The same into memory that is lent and only when it is wanted, if the file is not too long; it must
 * be released.
 */
export function borrowSnapshot(place: Place, asked: string): Snapshot | Promise<Snapshot> {
  const opened = openPlain(place, asked);
  if (opened.stats.size <= mostAtOnce) return new Snapshot(place, opened);
  closeSync(opened.fd);
  return takeSnapshot(place, asked);
}

function openPlain(
  place: Place,
  asked: string,
): { readonly fd: number; readonly stats: BigIntStats } {
  const fd = openSync(
    place.directory.at(place.name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const stats = fstatSync(fd, { bigint: true });
    requireRegular(stats, asked);
    const size = Number(stats.size);
    if (size > mostBytesToRead) throw tooLargeToChange(asked, size, mostBytesToRead);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const smallFile = 16 * 1024;

// New memory takes longer to get than a file to read.
let spare: ArrayBufferLike | undefined;

function readIntoSpare(fd: number, size: number): Uint8Array {
  const buffer = spare ?? new ArrayBuffer(mostAtOnce);
  spare = undefined;
  const bytes = new Uint8Array(buffer, 0, size);
  return bytes.subarray(0, fill(bytes, fd, 0));
}

/** Tells whether a place still holds what was seen there. */
export function isUnchanged(place: Place, seen: BigIntStats | undefined): boolean {
  const now = lookAt(place);
  if (now === undefined || seen === undefined) return now === seen;
  return versionOf(now) === versionOf(seen);
}

function isSameContent(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}
