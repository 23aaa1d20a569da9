import type { PathState } from "@haft/contract";

/** Where the journal has a state of a path as it was. */
export interface KeptState {
  /** The only path that it belongs to. */
  readonly path: string;
  /** What was there itself; absent if nothing was there, or a directory that is still there. */
  readonly source?: string;
  /** Where to keep what it replaces, as the journal names it; see `MovedEntry.keptAt`. */
  readonly keptAt?: string;
}

// A tool hands states on, but can't make one that is known here.
const known = new WeakMap<PathState, KeptState>();

/** Marks a state as taken from the journal. */
export function markKept<State extends PathState>(state: State, kept: KeptState): State {
  known.set(state, kept);
  return state;
}

/** Where the journal has a state of a path; `undefined` if it was not taken from there. */
export function findKept(path: string, state: PathState): KeptState | undefined {
  const kept = known.get(state);
  return kept?.path === path ? kept : undefined;
}

const prints = new WeakMap<PathState, string>();

/** Notes what identifies an entry in a state; see `printOf`. */
export function markPrint<State extends PathState>(state: State, print: string): State {
  prints.set(state, print);
  return state;
}

/** What identifies the entry in a state, if that is known. */
export function findPrint(state: PathState): string | undefined {
  return prints.get(state);
}
