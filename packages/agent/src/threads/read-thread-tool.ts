import { defineTool, type RuntimeSession, type Tool, ToolError } from "@haft/contract";
import type { ReadThreadData } from "./read-page.ts";
import type { Threads } from "./threads.ts";

/** The arguments of `read_thread`. */
export interface ReadThreadArguments {
  thread: string;
  from?: number;
  limit?: number;
  around?: number;
}

const mostEntries = 200;
const usualEntries = 50;

/** Shows what was said and done in an earlier thread, a page at a time. */
export function createReadThreadTool(
  openThreads: () => Promise<Threads>,
): Tool<ReadThreadArguments, ReadThreadData> {
  return defineTool({
    id: "read_thread",
    description: [
      "Shows what was said and done in an earlier thread, a page at a time: prompts, answers, calls with the beginnings of their arguments and results.",
      "find_thread finds threads. What was read in files then may have changed since.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        thread: {
          type: "string",
          minLength: 1,
          maxLength: 400,
          description: "The thread's id, or the name of its session in this workspace.",
        },
        from: {
          type: "integer",
          minimum: 1,
          description: "The first entry to show; the first of all if left out.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: mostEntries,
          description: `How many entries at most; ${usualEntries} if left out.`,
        },
        around: {
          type: "integer",
          minimum: 1,
          description: "An entry to show those before and after of, in the place of from.",
        },
      },
      required: ["thread"],
      additionalProperties: false,
    },
    output,
    requires: {},
    kind: "read",
    source: "builtin",
    execution: { resourceKeys: () => [] },
    execute: async ({ thread, from, limit = usualEntries, around }, { session, signal }) => {
      if (signal.aborted) throw new ToolError("cancelled", "Read nothing: aborted.");
      const threads = await openThreads();
      // Loaded when used: most sessions look at no other thread.
      const { readPage } = await import("./read-page.ts");
      const start = around === undefined ? (from ?? 1) : around - Math.floor(limit / 2);
      for (const id of candidates(thread, session)) {
        const page = readPage(threads, id, { from: Math.max(1, start), limit });
        if (page !== undefined) return page;
      }
      throw notFound(thread, await nearOnes(thread, threads, session));
    },
  });
}

const output = {
  type: "object",
  properties: {
    thread: { type: "string" },
    title: { type: "string" },
    workspace: { type: "string" },
    entries: { type: "integer", description: "How many entries the thread has." },
    content: { type: "string", description: "Who said what, and what was done." },
    next: { type: "integer", description: "Where to read on, if there is more." },
  },
  required: ["thread", "title", "entries", "content"],
  additionalProperties: false,
} as const;

// Sessions of one workspace have ids that begin alike.
function candidates(wanted: string, { id }: RuntimeSession): string[] {
  const workspace = id.slice(0, id.lastIndexOf("/") + 1);
  return wanted.startsWith(workspace) ? [wanted] : [wanted, `${workspace}${wanted}`];
}

async function nearOnes(
  wanted: string,
  threads: Threads,
  { roots }: RuntimeSession,
): Promise<string[]> {
  const { nearestNames } = await import("@haft/core");
  const listed = threads.list({ workspace: roots[0], limit: 1000 });
  const near = nearestNames(
    wanted,
    listed.flatMap(({ id, name }) => [id, name]),
  );
  return near.length > 0 ? near : listed.slice(0, 3).map(({ id }) => id);
}

function notFound(wanted: string, near: readonly string[]): ToolError {
  const others = near.length === 0 ? "" : ` Others there are: ${near.join(", ")}.`;
  return new ToolError(
    "not-found",
    `There is no thread ${JSON.stringify(wanted)}.${others} find_thread finds them by words.`,
  );
}
