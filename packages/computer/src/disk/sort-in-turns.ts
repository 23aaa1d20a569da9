import { enterTimeSlice } from "@haft/contract/internal";

// Sorts in a fraction of a millisecond.
const runLength = 1024;

/** Sorts by name and code unit; a long list in steps that yield to the event loop. */
export async function sortInTurns<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
): Promise<Entry[]> {
  if (entries.length <= runLength) return entries.toSorted(byName);
  let runs: Entry[][] = [];
  for (let at = 0; at < entries.length; at += runLength) {
    runs.push(entries.slice(at, at + runLength).sort(byName));
    await enterTimeSlice();
  }
  while (runs.length > 1) {
    const merged: Entry[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Entry extends { readonly name: string }>(
  left: readonly Entry[],
  right: readonly Entry[],
): Promise<Entry[]> {
  const merged: Entry[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  while (merged.length < left.length + right.length) {
    const a = left[fromLeft];
    const b = right[fromRight];
    if (a !== undefined && (b === undefined || byName(a, b) <= 0)) {
      merged.push(a);
      fromLeft++;
    } else if (b !== undefined) {
      merged.push(b);
      fromRight++;
    }
    if (merged.length % runLength === 0) await enterTimeSlice();
  }
  return merged;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
