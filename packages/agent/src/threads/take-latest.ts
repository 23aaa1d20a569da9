import type { StoredEntry, ThreadEntry } from "./thread.ts";

/** An entry with its length in characters. */
export interface SizedEntry {
  readonly stored: StoredEntry;
  readonly characters: number;
}

/** A last turn of up to this many characters is never cut. */
const usualTurn = 200_000;

/**
 * Takes entries, given newest first, back to the last summary: as many whole turns as fit into about
 * `characters` characters, but always the last turn. Only if that would be far too much or almost
 * nothing, a turn begins with one of its answers. Reads no further than necessary.
 */
export function takeLatest(backwards: Iterable<SizedEntry>, characters: number): StoredEntry[] {
  const maxOfLastTurn = Math.max(2 * characters, usualTurn);
  const taken: StoredEntry[] = [];
  let total = 0;
  // Entries that form whole turns, with their characters; and entries from the last answer on.
  let whole = { count: 0, total: 0 };
  let answered = 0;
  const endTurn = (): void => {
    if (whole.count === 0 || total <= characters) whole = { count: taken.length, total };
  };
  const endStep = (): void => {
    const isFirst = whole.count === 0 && answered === 0;
    if (isFirst || total <= characters) answered = taken.length;
  };
  const finish = (): StoredEntry[] => {
    const isEnough = whole.count > 0 && whole.total * 2 >= characters;
    return oldestFirst(taken, isEnough ? whole.count : Math.max(whole.count, answered));
  };
  for (const { stored, characters: more } of backwards) {
    const next = taken.at(-1)?.entry;
    if (next !== undefined && startsTurn(next, stored.entry)) {
      endTurn();
      if (total >= characters) return finish();
    } else if (next?.kind === "assistant") {
      endStep();
    }
    taken.push(stored);
    total += more;
    if (stored.entry.kind === "summary") break;
    const maxTotal = whole.count > 0 ? characters : maxOfLastTurn;
    if (total > maxTotal && whole.count + answered > 0) return finish();
  }
  endTurn();
  return finish();
}

function oldestFirst(newestFirst: readonly StoredEntry[], count: number): StoredEntry[] {
  return newestFirst.slice(0, count).reverse();
}

// A person's message begins a turn. Notices and messages right before it belong to the same turn.
function startsTurn(entry: ThreadEntry, previous: ThreadEntry): boolean {
  if (previous.kind === "turn-end") return true;
  return entry.kind === "user" && (previous.kind === "assistant" || previous.kind === "result");
}
