import type { BigIntStats } from "node:fs";

/**
 * A fixed reference to what a path led to when it was looked up. Swapping a link afterwards changes
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

/** How to treat a path whose last component is a link. */
export interface PinOptions {
  /** Pin the link itself instead of its target. */
  readonly noFollow?: boolean;
}

/** A file that is open for reading, and where it is. */
export interface OpenFile {
  readonly fd: number;
  /** Links resolved. */
  readonly landing: string;
  readonly size: number;
}

/** A way of pinning paths on this platform. */
export interface Pinning {
  pin(path: string, options?: PinOptions): Pin;
  /**
   * Fast path for regular files that are not links: one open instead of two. `undefined` for
   * anything else, including missing files: pin the path to learn why.
   */
  openPlain?(path: string): OpenFile | undefined;
}
