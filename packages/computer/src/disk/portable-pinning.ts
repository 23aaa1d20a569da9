import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
} from "node:fs";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import type { Pin, Pinning } from "./pin.ts";
import { makeSystemError } from "./system-error.ts";

/**
 * Pins by comparison, for systems without `/proc`: the real path is looked up before each use and
 * must still lead to the same file. A swap in the instant between is noticed after an open, but not
 * after a rename.
 */
export const portablePinning: Pinning = {
  pin: (path, options) => {
    const landing = options?.noFollow
      ? childOf(realpathSync.native(parentOf(path)), nameOf(path))
      : realpathSync.native(path);
    return new ComparedPin(landing, lstatSync(landing, { bigint: true }));
  },
};

class ComparedPin implements Pin {
  readonly landing: string;
  readonly stats: BigIntStats;

  constructor(landing: string, stats: BigIntStats) {
    this.landing = landing;
    this.stats = stats;
  }

  get reach(): string {
    this.#confirm(lstatSync(this.landing, { bigint: true }));
    return this.landing;
  }

  at(name: string): string {
    return childOf(this.reach, name);
  }

  open(flags: number): number {
    const fd = openSync(this.landing, flags | constants.O_NOFOLLOW);
    try {
      this.#confirm(fstatSync(fd, { bigint: true }));
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {}

  #confirm(now: BigIntStats): void {
    const same = now.dev === this.stats.dev && now.ino === this.stats.ino;
    if (!same || !this.#leadsHere()) throw makeSystemError("ESTALE", "realpath");
  }

  #leadsHere(): boolean {
    // The last component may be a link that was pinned as such; its directory must be unchanged.
    const parent = parentOf(this.landing);
    return realpathSync.native(parent) === parent;
  }
}
