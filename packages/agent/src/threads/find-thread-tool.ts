import { defineTool, type Tool, ToolError } from "@haft/contract";
import { ofAllWorkspaces, ofThisWorkspace } from "./thread-resources.ts";
import type { ThreadHit, Threads } from "./threads.ts";

/** Arguments of `find_thread`. */
export interface FindThreadArguments {
  query: string;
  limit?: number;
  all_workspaces?: boolean;
}

/** Result of `find_thread`. */
export interface FindThreadData {
  /** The best first. */
  threads: FoundThread[];
  message: string;
}

/** A thread that matches a search. */
export interface FoundThread {
  thread: string;
  title: string;
  workspace: string;
  updated_at: string;
  snippet: string;
}

const maxThreads = 50;
const defaultThreads = 10;

/** Creates the tool that searches earlier threads. */
export function createFindThreadTool(
  openThreads: () => Promise<Threads>,
): Tool<FindThreadArguments, FindThreadData> {
  return defineTool({
    id: "find_thread",
    description: [
      "Searches earlier conversations and calls by words. Use it when earlier work may help now.",
      "Returns IDs and snippets. `read_thread` shows a thread.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          description: "Plain words; threads with all of them come first.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: maxThreads,
          description: `Default: ${defaultThreads}.`,
        },
        all_workspaces: {
          type: "boolean",
          description: "Needs the user's approval. Default: false.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    output,
    requires: {},
    kind: "search",
    source: "builtin",
    execution: {
      resourceKeys: ({ all_workspaces: isEverywhere }) => [
        isEverywhere === true ? ofAllWorkspaces : ofThisWorkspace,
      ],
    },
    execute: async ({ query, limit = defaultThreads, all_workspaces = false }, runtime) => {
      if (runtime.signal.aborted) throw new ToolError("cancelled", "Aborted before the search.");
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
          thread: { type: "string", description: "Thread ID." },
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

// The caller knows the current thread already.
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
  if (count > 0) return `Found ${count} ${count === 1 ? "thread" : "threads"}.`;
  return isEverywhere
    ? "No threads found. Try other words."
    : "No threads found in this workspace. Try other words, or all_workspaces.";
}
