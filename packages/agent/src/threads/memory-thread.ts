import { randomUUID } from "node:crypto";
import { clipTitle, toTitle } from "./entry-text.ts";
import { type SizedEntry, takeLatest } from "./take-latest.ts";
import type { StoredEntry, Thread, ThreadFacts } from "./thread.ts";

/**
 * Creates a thread that ends with the process, for tests and for agents that store nothing.
 *
 * @example
 * ```ts
 * import { createMemoryThread } from "@haft/agent/threads";
 *
 * const thread = createMemoryThread({ name: "scratch" });
 * ```
 */
export function createMemoryThread(facts: Partial<ThreadFacts> = {}): Thread {
  const id = facts.id ?? randomUUID();
  const stored: StoredEntry[] = [];
  let title: string | undefined;
  let isClosed = false;
  return {
    facts: { name: id, workspace: "/", ...facts, id },
    get title() {
      return title;
    },
    append: (entry) => {
      if (isClosed) throw new Error(`The thread ${id} is closed.`);
      // A copy, like a thread on disk: later changes by the caller must not affect it.
      const added: StoredEntry = {
        at: stored.length + 1,
        time: Date.now(),
        entry: structuredClone(entry),
      };
      stored.push(added);
      title ??= toTitle(entry);
      return added;
    },
    latest: (characters) => takeLatest(backwards(stored), characters),
    entries: (from = 1) => stored.slice(Math.max(0, from - 1)),
    setTitle: (wanted) => {
      title = clipTitle(wanted);
    },
    close: () => {
      isClosed = true;
    },
  };
}

function* backwards(stored: readonly StoredEntry[]): Generator<SizedEntry> {
  for (let index = stored.length - 1; index >= 0; index--) {
    const one = stored[index] as StoredEntry;
    yield { stored: one, characters: JSON.stringify(one.entry).length };
  }
}
