import { defineTool, type Tool, ToolError } from "@haft/contract";
import type { ThreadHit, Threads } from "./threads.ts";

/** The arguments of `find_thread`. */
export interface FindThreadArguments {
  query: string;
  limit?: number;
  all_workspaces?: boolean;
}

/** What `find_thread` found. */
export interface FindThreadData {
  /** The best first. */
  threads: FoundThread[];
  message: string;
}

/** A thread that fits a search. */
export interface FoundThread {
  thread: string;
  title: string;
  workspace: string;
  updated_at: string;
  snippet: string;
}

const mostThreads = 50;
const usualThreads = 10;

/** Finds earlier threads by what was said and done in them. */
export function createFindThreadTool(
  openThreads: () => Promise<Threads>,
): Tool<FindThreadArguments, FindThreadData> {
  return defineTool({
    id: "find_thread",
    description: [
      "Finds earlier threads: sessions with agents, and calls that were made without one, by words that were said or that calls were made with.",
      "Use it when earlier work may help with the present one, such as how something was decided or built.",
      "It gives ids and snippets; read_thread shows what is in a thread. It searches no files.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          description: "Plain words. Threads that have all of them come first of all.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: mostThreads,
          description: `How many threads at most; ${usualThreads} if left out.`,
        },
        all_workspaces: {
          type: "boolean",
          description: "Whether threads of other workspaces are searched too; false if left out.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    output,
    requires: {},
    kind: "search",
    source: "builtin",
    execution: { resourceKeys: () => [] },
    execute: async ({ query, limit = usualThreads, all_workspaces = false }, runtime) => {
      if (runtime.signal.aborted) throw new ToolError("cancelled", "Searched nothing: aborted.");
      const { id, roots } = runtime.session;
      const threads = await openThreads();
      const workspace = all_workspaces ? undefined : roots[0];
      await threads.takeIn();
      const hits = threads.search(query, { workspace, limit: limit + 1 });
      const found = ownLast(hits, id).slice(0, limit).map(toFound);
      return { threads: found, message: describe(found.length, all_workspaces) };
    },
  });
}

const output = {
  type: "object",
  properties: {
    threads: {
      type: "array",
      items: {
        type: "object",
        properties: {
          thread: { type: "string", description: "The id, for read_thread." },
          title: { type: "string" },
          workspace: { type: "string" },
          updated_at: { type: "string" },
          snippet: { type: "string" },
        },
        required: ["thread", "title", "workspace", "updated_at", "snippet"],
        additionalProperties: false,
      },
    },
    message: { type: "string" },
  },
  required: ["threads", "message"],
  additionalProperties: false,
} as const;

// What is said in the present thread is known to who asks.
function ownLast(hits: readonly ThreadHit[], own: string): ThreadHit[] {
  const isOwn = (hit: ThreadHit): boolean => hit.thread.id === own;
  return [...hits.filter((hit) => !isOwn(hit)), ...hits.filter(isOwn)];
}

function toFound({ thread, snippet }: ThreadHit): FoundThread {
  return {
    thread: thread.id,
    title: thread.title ?? thread.name,
    workspace: thread.workspace,
    updated_at: new Date(thread.updatedAt).toISOString(),
    snippet,
  };
}

function describe(count: number, isEverywhere: boolean): string {
  if (count > 0) return "read_thread shows what is in one of them.";
  return isEverywhere
    ? "Nothing was found. Try other words."
    : "Nothing was found in this workspace. Try other words, or all_workspaces.";
}
