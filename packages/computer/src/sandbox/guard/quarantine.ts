import { chownSync, cpSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readUntrustedFile } from "../../disk/read-untrusted-file.ts";
import { isSystemError } from "../../disk/system-error.ts";
import { nameOf, parentOf } from "../../paths/path-parts.ts";
import { makeDirectories } from "../../session/make-directories.ts";
import { makeUniqueName } from "../../session/unique-name.ts";
import { allowOwner, allowOwnerBelow, withPin } from "./owner-access.ts";

const maxBytes = 1024 * 1024;

/**
 * Receives what a command may not leave behind. Nothing readable is deleted, and a directory that is
 * swapped for a link meanwhile can't make us touch anything outside.
 */
export class Quarantine {
  readonly #directory: string;

  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, "quarantine");
  }

  /** Moves a path here and returns its new path. */
  take(path: string): string {
    return reach(path, (at) => this.#take(at, path));
  }

  /** Moves a file here, replaces it by one with this content, and returns its new path. */
  replace(path: string, content: string): string {
    return reach(path, (at) => {
      const { uid, gid } = lstatSync(at);
      const taken = this.#take(at, path);
      // It may have been a second hard link of another file: that one stays as it is.
      writeFileSync(at, content, { flag: "wx", mode: 0o644 });
      if (process.getuid?.() === 0) chownSync(at, uid, gid);
      return taken;
    });
  }

  /** The content of a file; `undefined` for anything but a readable file of moderate size. */
  read(path: string): string | undefined {
    return reach(path, (at) =>
      readUntrustedFile(at, { within: parentOf(at), maxBytes }).bytes?.toString("utf8"),
    );
  }

  #take(at: string, path: string): string {
    const directory = join(this.#directory, makeUniqueName());
    makeDirectories(directory, 0o700);
    const to = join(directory, nameOf(path));
    try {
      move(at, to);
    } catch (error) {
      if (!isSystemError(error) || !forbidden.has(error.code)) throw error;
      // Moving needs write permission on the parent, and on a directory that is moved itself.
      allowOwner(parentOf(path));
      allowOwner(path);
      move(at, to);
    }
    return to;
  }
}

const forbidden: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

function move(at: string, to: string): void {
  try {
    renameSync(at, to);
  } catch (error) {
    if (!isSystemError(error) || error.code !== "EXDEV") throw error;
    // So that all of it can be copied and removed.
    allowOwnerBelow(at);
    const isCopied = (path: string): boolean => {
      const stats = lstatSync(path);
      return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
    };
    cpSync(at, to, { recursive: true, verbatimSymlinks: true, filter: isCopied });
    rmSync(at, { recursive: true, force: true });
  }
}

/** Returns a path that leads to nothing else, even if a parent directory is swapped. */
function reach<Result>(path: string, use: (at: string) => Result): Result {
  const parent = parentOf(path);
  return withPin(parent, (pin) => {
    if (pin.landing !== parent) throw new Error(`${parent} has become a link to ${pin.landing}`);
    return use(pin.at(nameOf(path)));
  });
}
