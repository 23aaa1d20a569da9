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

/** A way of pinning paths that the platform offers. */
export interface Pinning {
  pin(path: string, options?: PinOptions): Pin;
}
