import {
  type BigIntStats,
  close,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
} from "node:fs";
import type { PathState } from "@haft/contract";
import { maxBytesToRead } from "../paths/clamp-window.ts";
import { tooLargeToChange } from "../paths/path-errors.ts";
import { versionOf } from "./file-version.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { fill, maxConcurrent, readBytes } from "./read-bytes.ts";
import { requireRegular } from "./read-file.ts";
import { isSystemError } from "./system-error.ts";

/** A file as it was at one moment. */
export class Snapshot {
  readonly #place: PinnedEntry;
  #stats: BigIntStats;
  #fd: number | undefined;
  #content: Uint8Array | undefined;

  /** Without content, it is read from the descriptor on demand. */
  constructor(
    place: PinnedEntry,
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

  /** Releases it, so that borrowed memory can be reused. */
  release(): void {
    if (this.#content?.buffer.byteLength === maxConcurrent) spare = this.#content.buffer;
    if (this.#fd === undefined) return;
    if (this.#stats.size > smallFile) closeLater(this.#fd);
    else closeSync(this.#fd);
    this.#fd = undefined;
  }

  /**
   * Gives the file a second name, under which it survives when it is replaced. Not if it has other
   * hard links already, through which it could change.
   */
  readonly keep = (name: string): boolean => {
    if (this.#stats.nlink !== 1n || this.#stats.uid !== BigInt(process.geteuid?.() ?? -1))
      return false;
    try {
      linkSync(this.#place.directory.at(this.#place.name), name);
    } catch (error) {
      // On another disk, for example: then it is copied.
      if (isSystemError(error)) return false;
      throw error;
    }
    const now = lookAt(this.#place);
    // The link itself counts as a change.
    if (now !== undefined && isSameContent(now, this.#stats)) this.#stats = now;
    return true;
  };
}

/** Stats of an entry now; links are not followed. */
export function lookAt(place: PinnedEntry): BigIntStats | undefined {
  return lstatSync(place.directory.at(place.name), { bigint: true, throwIfNoEntry: false });
}

/** Reads the file at an entry, so that the journal can keep its content. */
export async function takeSnapshot(place: PinnedEntry, asked: string): Promise<Snapshot> {
  const { fd, stats } = openPlain(place, asked);
  try {
    const content = readBytes(fd, 0, Number(stats.size));
    return new Snapshot(place, { stats }, content instanceof Promise ? await content : content);
  } finally {
    closeSync(fd);
  }
}

/**
 * Like `takeSnapshot`, but reads on demand and into shared memory if the file is short enough; it
 * must be released.
 */
export function borrowSnapshot(place: PinnedEntry, asked: string): Snapshot | Promise<Snapshot> {
  const opened = openPlain(place, asked);
  if (opened.stats.size <= maxConcurrent) return new Snapshot(place, opened);
  closeSync(opened.fd);
  return takeSnapshot(place, asked);
}

function openPlain(
  place: PinnedEntry,
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
    if (size > maxBytesToRead) throw tooLargeToChange(asked, size, maxBytesToRead);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const smallFile = 16 * 1024;

// Allocating new memory takes longer than reading a file.
let spare: ArrayBufferLike | undefined;

function readIntoSpare(fd: number, size: number): Uint8Array {
  const buffer = spare ?? new ArrayBuffer(maxConcurrent);
  spare = undefined;
  const bytes = new Uint8Array(buffer, 0, size);
  return bytes.subarray(0, fill(bytes, fd, 0));
}

/** Returns whether an entry is still what was seen there. */
export function isUnchanged(place: PinnedEntry, seen: BigIntStats | undefined): boolean {
  const now = lookAt(place);
  if (now === undefined || seen === undefined) return now === seen;
  return versionOf(now) === versionOf(seen);
}

function isSameContent(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

let waiting: number[] = [];

/**
 * Closes a descriptor later, off the event loop. It may be the last reference to a replaced file,
 * and freeing that takes the system longer than the rest of a write.
 */
function closeLater(fd: number): void {
  waiting.push(fd);
  if (waiting.length === 1) setImmediate(closeAll);
}

function closeAll(): void {
  const closing = waiting;
  waiting = [];
  for (const fd of closing) close(fd, () => {});
}
