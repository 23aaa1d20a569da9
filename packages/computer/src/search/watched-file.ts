import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { isSettled } from "./settled.ts";

/** A file with its state at one moment. */
export class WatchedFile {
  readonly path: string;
  readonly #stamp: string | undefined;
  readonly #isSure: boolean;

  private constructor(path: string, stats: Stats | undefined) {
    this.path = path;
    this.#stamp = stampOf(stats);
    this.#isSure = stats === undefined || isSettled(stats);
  }

  /** Stats the file, if there is one. */
  static look(path: string): { readonly file: WatchedFile; readonly stats: Stats | undefined } {
    const stats = statOf(path);
    return { file: new WatchedFile(path, stats), stats };
  }

  /** Reads a small text, if there is one. */
  static read(path: string): { readonly file: WatchedFile } & SmallText {
    const { file, stats } = WatchedFile.look(path);
    if (stats === undefined) return { file, text: undefined, isUnusable: false };
    return { file, ...(stats.isFile() ? readText(path) : unusable) };
  }

  /** Whether the file is certainly unchanged. */
  isUnchanged(): boolean {
    return this.#isSure && stampOf(statOf(this.path)) === this.#stamp;
  }
}

/** A text, if there is one. */
export interface SmallText {
  readonly text: string | undefined;
  /** Reading it could take forever: a pipe, a device, a directory, or a file that is too large. */
  readonly isUnusable: boolean;
}

const unusable: SmallText = { text: undefined, isUnusable: true };

// Larger ignore files are not meant to be read.
const maxBytes = 8 * 1024 * 1024;

function readText(path: string): SmallText {
  let fd: number | undefined;
  try {
    // A pipe that replaced the file must not make us wait.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxBytes) return unusable;
    // One byte more, because kernel files claim to be empty and may have no end.
    const bytes = Buffer.allocUnsafe(stats.size + 4096);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(fd, bytes, length, bytes.length - length, null);
    }
    if (length > stats.size) return unusable;
    return { text: decode(bytes.subarray(0, length)), isUnusable: false };
  } catch (error) {
    const isUnusable = fd !== undefined || (error as NodeJS.ErrnoException).code === "ENXIO";
    return { text: undefined, isUnusable };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// ripgrep reads lines until one is not UTF-8.
function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    let good = 0;
    for (;;) {
      const end = bytes.indexOf(0x0a, good);
      try {
        decoder.decode(bytes.subarray(good, end === -1 ? bytes.length : end));
      } catch {
        return decoder.decode(bytes.subarray(0, good));
      }
      good = end + 1;
    }
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function stampOf(stats: Stats | undefined): string | undefined {
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}
