import type { DatabaseSync } from "node:sqlite";
import type { EntryStore } from "./entry-store.ts";
import { clipTitle, toTitle } from "./entry-text.ts";
import { takeLatest } from "./take-latest.ts";
import type { StoredEntry, Thread, ThreadEntry } from "./thread.ts";
import { mostEntries } from "./thread-layout.ts";
import type { ThreadSummary } from "./threads.ts";

/** What a thread on disk works on. */
export interface ThreadStore {
  readonly database: DatabaseSync;
  readonly entries: EntryStore;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Puts a thread's title where searches find it. */
  indexTitle(number: number, title: string): void;
}

/** A thread that this process holds. */
export interface HeldThread {
  readonly number: number;
  readonly summary: ThreadSummary;
  /** Is told when the thread is let go of. */
  onClose(): void;
}

/** A thread in a database. Nobody else writes to it, so that its end is known. */
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
      if (last >= mostEntries) {
        throw new Error(`The thread ${name} is full. Go on in another session.`);
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
