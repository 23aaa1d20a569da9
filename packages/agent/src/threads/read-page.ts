import { describeCall, describeEntry } from "./describe-entry.ts";
import type { Threads } from "./threads.ts";

/** A page of a thread. */
export interface ReadThreadData {
  thread: string;
  title: string;
  /** Absent if unknown. */
  workspace?: string;
  /** Number of entries in the thread. */
  entries: number;
  /** Messages, calls and results. */
  content: string;
  /** First entry of the next page, if there is more. */
  next?: number;
}

/** Which entries to read. */
export interface PageRange {
  readonly from: number;
  readonly limit: number;
}

// Maximum size of a page, whatever its entries contain.
const maxCharacters = 30_000;

/** Reads a page of a thread, or of a session's calls if it has no thread. Returns `undefined` if there is neither. */
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
  /** Tells whether it fitted. */
  add(at: number, text: string): boolean;
  end(entries: number): Pick<ReadThreadData, "content" | "next">;
}

function createPage({ from, limit }: PageRange): Page {
  const lines: string[] = [];
  let next = from;
  let characters = 0;
  return {
    add: (at, text) => {
      const isFull = lines.length > 0 && characters + text.length > maxCharacters;
      if (isFull || lines.length >= limit) return false;
      lines.push(text);
      characters += text.length;
      next = at + 1;
      return true;
    },
    end: (entries) => ({
      content: lines.length === 0 ? "No entries." : lines.join("\n"),
      ...(lines.length > 0 && next <= entries && { next }),
    }),
  };
}
