import type { DatabaseSync } from "node:sqlite";
import type { EntryStore } from "./entry-store.ts";
import { clipTitle, toTitle } from "./entry-text.ts";
import { takeLatest } from "./take-latest.ts";
import type { StoredEntry, Thread, ThreadEntry } from "./thread.ts";
import { maxEntries } from "./thread-layout.ts";
import type { ThreadSummary } from "./threads.ts";

/** What a thread on disk needs. */
export interface ThreadStore {
  readonly database: DatabaseSync;
  readonly entries: EntryStore;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Adds a thread's title to the search index. */
  indexTitle(number: number, title: string): void;
}

/** A thread that this process has open. */
export interface HeldThread {
  readonly number: number;
  readonly summary: ThreadSummary;
  /** Called when the thread is closed. */
  onClose(): void;
}

/** Opens a thread in a database. No other process writes to it, so its length is known. */
export function createSqliteThread(store: ThreadStore, held: HeldThread): Thread {
  const { database, entries } = store;
  const { number, summary } = held;
  const { id, name, workspace, parent, isOpaque } = summary;
  const updateTitle = database.prepare("UPDATE threads SET title = ? WHERE number = ?");
  const updateAgent = database.prepare("UPDATE threads SET agent = ? WHERE number = ?");
  let { title, agent, entries: last } = summary;
  let isClosed = false;

  const requireOpen = (): void => {
    if (isClosed) throw new Error(`The thread ${id} is closed.`);
  };
  const learn = (entry: ThreadEntry): void => {
    if (title === undefined) {
      title = toTitle(entry);
      if (title !== undefined) updateTitle.run(title, number);
    }
    if (entry.kind === "assistant" && entry.agent !== agent) {
      agent = entry.agent;
      updateAgent.run(agent, number);
    }
  };

  return {
    facts: { id, name, workspace, parent, isOpaque },
    get title() {
      return title;
    },
    append: (entry) => {
      requireOpen();
      if (last >= maxEntries) {
        throw new Error(`The thread ${name} is full. Continue in another session.`);
      }
      const stored: StoredEntry = { at: last + 1, time: store.now(), entry };
      entries.add(number, stored);
      last = stored.at;
      learn(entry);
      return stored;
    },
    latest: (characters) => takeLatest(entries.backwards(number), characters),
    entries: (from = 1) => entries.forwards(number, from),
    setTitle: (wanted) => {
      requireOpen();
      title = clipTitle(wanted);
      updateTitle.run(title, number);
      store.indexTitle(number, title);
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      held.onClose();
    },
  };
}
