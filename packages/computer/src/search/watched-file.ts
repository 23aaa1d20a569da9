import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { isSettled } from "./settled.ts";

/** A file, as it was when it was looked at. */
export class WatchedFile {
  readonly path: string;
  readonly #stamp: string | undefined;
  readonly #isSure: boolean;

  private constructor(path: string, stats: Stats | undefined) {
    this.path = path;
    this.#stamp = stampOf(stats);
    this.#isSure = stats === undefined || isSettled(stats);
  }

  /** Looks at what is there, if anything is. */
  static look(path: string): { readonly file: WatchedFile; readonly stats: Stats | undefined } {
    const stats = statOf(path);
    return { file: new WatchedFile(path, stats), stats };
  }

  /** Reads a small text, if there is one. */
  static read(path: string): { readonly file: WatchedFile; readonly text: string | undefined } {
    const { file, stats } = WatchedFile.look(path);
    return { file, text: stats?.isFile() ? readText(path) : undefined };
  }

  /** Whether the file is certainly as it was. */
  isUnchanged(): boolean {
    return this.#isSure && stampOf(statOf(this.path)) === this.#stamp;
  }
}

// Whoever has more to ignore than this does not mean it.
const mostBytes = 8 * 1024 * 1024;

function readText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    // A pipe that took the file's place must not make us wait.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= mostBytes ? decode(readFileSync(fd)) : undefined;
  } catch {
    return undefined;
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
