import type { BigIntStats } from "node:fs";

/**
 * Holds on to what a path led to when it was looked up. Whoever swaps a link afterwards changes
 * what the path means, but not what is pinned.
 */
export interface Pin {
  /** Where the path led, links resolved. */
  readonly landing: string;
  readonly stats: BigIntStats;
  /** A path that leads to exactly this. */
  readonly reach: string;
  /** A path to a name in this directory. */
  at(name: string): string;
  /** Opens what is pinned and nothing else. */
  open(flags: number): number;
  close(): void;
}

/** How to treat the last part of a path that is a link. */
export interface PinOptions {
  /** Pin the link itself instead of what it leads to. */
  readonly noFollow?: boolean;
}

/** A file that is open for reading, and where it is. */
export interface OpenFile {
  readonly fd: number;
  /** Links resolved. */
  readonly landing: string;
  readonly size: number;
}

/** A way of pinning paths that the platform offers. */
export interface Pinning {
  pin(path: string, options?: PinOptions): Pin;
  /**
   * The quick way to read what almost every path is, a regular file and no link: one open instead
   * of two. `undefined` for anything else, also for what is not there: pin it, and learn why.
   */
  openPlain?(path: string): OpenFile | undefined;
}
