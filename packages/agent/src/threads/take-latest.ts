import type { StoredEntry, ThreadEntry } from "./thread.ts";

/** An entry with how many characters it has. */
export interface SizedEntry {
  readonly stored: StoredEntry;
  readonly characters: number;
}

/** A last turn of so many characters is whole in any case. */
const usualTurn = 200_000;

/**
 * Of entries that come newest first: those back to the last summary, as many whole turns as have about
 * so many characters together, but the last turn always. Only where that would be all too much, or next to
 * nothing, a turn is begun with one of its answers. Reads no further than it has to.
 */
export function takeLatest(backwards: Iterable<SizedEntry>, characters: number): StoredEntry[] {
  const mostOfLastTurn = Math.max(2 * characters, usualTurn);
  const taken: StoredEntry[] = [];
  let total = 0;
  // How many of the taken are whole turns, with how many characters; and how many begin with an answer.
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
    const most = whole.count > 0 ? characters : mostOfLastTurn;
    if (total > most && whole.count + answered > 0) return finish();
  }
  endTurn();
  return finish();
}

function oldestFirst(newestFirst: readonly StoredEntry[], count: number): StoredEntry[] {
  return newestFirst.slice(0, count).reverse();
}

// What a person says begins a turn, but for notices and other words right before it, which belong to it.
function startsTurn(entry: ThreadEntry, previous: ThreadEntry): boolean {
  if (previous.kind === "turn-end") return true;
  return entry.kind === "user" && (previous.kind === "assistant" || previous.kind === "result");
}
