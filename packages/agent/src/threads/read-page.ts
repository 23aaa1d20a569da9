import { describeCall, describeEntry } from "./describe-entry.ts";
import type { Threads } from "./threads.ts";

/** A part of a thread. */
export interface ReadThreadData {
  thread: string;
  title: string;
  /** Left out where it is not known. */
  workspace?: string;
  /** How many entries the thread has. */
  entries: number;
  /** Who said what, and what was done. */
  content: string;
  /** Where to read on, if there is more. */
  next?: number;
}

/** Which entries are wanted. */
export interface PageRange {
  readonly from: number;
  readonly limit: number;
}

// What a page has at most, whatever its entries hold.
const mostCharacters = 30_000;

/** A page of a thread, or of the calls of a session without one; `undefined` if there is neither. */
export function readPage(
  threads: Threads,
  id: string,
  range: PageRange,
): ReadThreadData | undefined {
  const summary = threads.find(id);
  if (summary === undefined) return readCalls(threads, id, range);
  if (summary.isOpaque === true) return undefined;
  const page = createPage(range);
  for (const stored of threads.entries(id, range.from)) {
    if (!page.add(stored.at, describeEntry(stored))) break;
  }
  const { title = summary.name, workspace, entries } = summary;
  return { thread: id, title, workspace, entries, ...page.end(entries) };
}

function readCalls(threads: Threads, id: string, range: PageRange): ReadThreadData | undefined {
  const page = createPage(range);
  let count = 0;
  let isFull = false;
  for (const call of threads.calls(id)) {
    count++;
    if (count < range.from || isFull) continue;
    isFull = !page.add(count, describeCall(count, call));
  }
  if (count === 0) return undefined;
  const name = id.slice(id.lastIndexOf("/") + 1);
  const title = `Calls of session ${name}, made without an agent`;
  return { thread: id, title, entries: count, ...page.end(count) };
}

interface Page {
  /** Whether there was room for it. */
  add(at: number, text: string): boolean;
  end(entries: number): Pick<ReadThreadData, "content" | "next">;
}

function createPage({ from, limit }: PageRange): Page {
  const lines: string[] = [];
  let next = from;
  let characters = 0;
  return {
    add: (at, text) => {
      const isFull = lines.length > 0 && characters + text.length > mostCharacters;
      if (isFull || lines.length >= limit) return false;
      lines.push(text);
      characters += text.length;
      next = at + 1;
      return true;
    },
    end: (entries) => ({
      content: lines.length === 0 ? "There is nothing here." : lines.join("\n"),
      ...(lines.length > 0 && next <= entries && { next }),
    }),
  };
}
