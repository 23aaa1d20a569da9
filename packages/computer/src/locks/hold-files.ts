import { hash } from "node:crypto";
import { join } from "node:path";
import type { Release } from "@haft/core";
import { tryLock, unlock } from "./lock-file.ts";

/** The call that files are held for. */
export interface Holder {
  readonly signal: AbortSignal;
}

/** Holds files, synchronously if they are free. */
export type HoldFiles = (paths: readonly string[], holder: Holder) => Release | Promise<Release>;

/**
 * Creates locks that keep other Haft processes from changing the same files at the same time. Where
 * locks are not possible, work goes on without them: a change that meets another fails with a conflict.
 */
export function createFileHolds(directory: string): HoldFiles {
  return (paths, holder) => {
    // All processes take locks in the same order, which rules out deadlocks.
    const locks = [...new Set(paths)].map((path) => join(directory, nameOf(path))).sort();
    const held: string[] = [];
    const release = (): void => {
      for (const lock of held.splice(0)) unlock(lock);
    };
    const first = takeFrom(locks, held);
    if (first.length === 0) return release;
    return wait(first, held, holder).then(
      () => release,
      (error) => {
        release();
        throw error;
      },
    );
  };
}

function nameOf(path: string): string {
  return hash("sha256", path).slice(0, 32);
}

// Takes locks up to the first that is busy, and returns the rest.
function takeFrom(locks: readonly string[], held: string[]): readonly string[] {
  for (const [index, lock] of locks.entries()) {
    const outcome = tryLock(lock);
    if (outcome === "busy") return locks.slice(index);
    if (outcome === "taken") held.push(lock);
  }
  return [];
}

const shortestWaitMs = 1;
const maxWaitMs = 25;

async function wait(locks: readonly string[], held: string[], { signal }: Holder): Promise<void> {
  let left = locks;
  for (let waitMs = shortestWaitMs; left.length > 0; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    await sleep(waitMs, signal);
    signal.throwIfAborted();
    left = takeFrom(left, held);
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
}
