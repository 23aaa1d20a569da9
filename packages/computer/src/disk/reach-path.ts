import { lstatSync, rmdirSync } from "node:fs";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import type { Pinning } from "./pin.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { isSystemError } from "./system-error.ts";

/**
 * Does something at a path that was checked earlier. `undefined` if it leads elsewhere or nowhere by
 * now: then nothing is done.
 */
export function reachPath<Outcome>(
  landing: string,
  pinning: Pinning,
  act: (place: PinnedEntry) => Outcome,
): Outcome | undefined {
  let directory: ReturnType<Pinning["pin"]>;
  try {
    directory = pinning.pin(parentOf(landing));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
  try {
    if (directory.landing !== parentOf(landing) || !directory.stats.isDirectory()) return undefined;
    const name = nameOf(landing);
    const found = lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    return act({ directory, name, landing, found, made: [] });
  } finally {
    directory.close();
  }
}

/** Removes directories that were created for nothing, unless something is in them by now. */
export function removeMade(made: readonly string[], pinning: Pinning): void {
  for (const landing of made.toReversed()) {
    reachPath(landing, pinning, ({ directory, name }) => {
      try {
        rmdirSync(directory.at(name));
      } catch (error) {
        if (!isSystemError(error)) throw error;
      }
    });
  }
}
