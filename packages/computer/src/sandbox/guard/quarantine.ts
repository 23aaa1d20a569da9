import {
  chownSync,
  closeSync,
  constants,
  cpSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { portablePinning } from "../../disk/portable-pinning.ts";
import { canPinThroughProc, procPinning } from "../../disk/proc-pinning.ts";
import { isSystemError } from "../../disk/system-error.ts";
import { nameOf, parentOf } from "../../paths/path-parts.ts";
import { makeDirectories } from "../../session/make-directories.ts";
import { makeUniqueName } from "../../session/unique-name.ts";

const mostBytes = 1024 * 1024;

/**
 * Where what a command may not leave behind is put instead. Nothing is deleted, and nobody who swaps
 * a directory for a link meanwhile makes us touch anything outside.
 */
export class Quarantine {
  readonly #directory: string;

  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, "quarantine");
  }

  /** Moves something here and tells where it is now. */
  take(path: string): string {
    return reach(path, (at) => this.#take(at, nameOf(path)));
  }

  /** Moves a file here, puts another with this content in its place, and tells where it is now. */
  replace(path: string, content: string): string {
    return reach(path, (at) => {
      const { uid, gid } = lstatSync(at);
      const taken = this.#take(at, nameOf(path));
      // What was there may have been a second name of another file: that one stays as it is.
      writeFileSync(at, content, { flag: "wx", mode: 0o644 });
      if (process.getuid?.() === 0) chownSync(at, uid, gid);
      return taken;
    });
  }

  /** The content of a file; `undefined` for anything but a file of moderate size. */
  read(path: string): string | undefined {
    return reach(path, (at) => {
      if (!lstatSync(at).isFile()) return undefined;
      const fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stats = fstatSync(fd);
        return stats.isFile() && stats.size <= mostBytes ? readFileSync(fd, "utf8") : undefined;
      } finally {
        closeSync(fd);
      }
    });
  }

  #take(at: string, name: string): string {
    const directory = join(this.#directory, makeUniqueName());
    makeDirectories(directory, 0o700);
    const to = join(directory, name);
    try {
      renameSync(at, to);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "EXDEV") throw error;
      cpSync(at, to, { recursive: true, verbatimSymlinks: true });
      rmSync(at, { recursive: true });
    }
    return to;
  }
}

/** Gives a name for a path that leads to nothing else, even if a directory above it is swapped. */
function reach<Result>(path: string, use: (at: string) => Result): Result {
  const parent = parentOf(path);
  const pinning = canPinThroughProc() ? procPinning : portablePinning;
  const pin = pinning.pin(parent, { noFollow: true });
  try {
    if (pin.landing !== parent) throw new Error(`${parent} has become a link to ${pin.landing}`);
    return use(pin.at(nameOf(path)));
  } finally {
    pin.close();
  }
}
