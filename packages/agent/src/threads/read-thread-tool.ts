import { toWorkspaceId } from "@haft/computer/internal";
import { defineTool, type RuntimeSession, type Tool, ToolError } from "@haft/contract";
import type { ReadThreadData } from "./read-page.ts";
import { ofOtherWorkspace, ofThisWorkspace } from "./thread-resources.ts";
import type { Threads } from "./threads.ts";

/** Arguments of `read_thread`. */
export interface ReadThreadArguments {
  thread: string;
  from?: number;
  limit?: number;
  around?: number;
}

const maxEntries = 200;
const defaultEntries = 50;

/** Creates the tool that shows an earlier thread, page by page. */
export function createReadThreadTool(
  openThreads: () => Promise<Threads>,
): Tool<ReadThreadArguments, ReadThreadData> {
  return defineTool({
    id: "read_thread",
    description: [
      "Shows an earlier thread page by page: prompts, answers and shortened calls.",
      "Files may have changed since. `find_thread` finds threads.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        thread: {
          type: "string",
          minLength: 1,
          maxLength: 400,
          description: "ID, or name of a session in this workspace.",
        },
        from: {
          type: "integer",
          minimum: 1,
          description: "First entry.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: maxEntries,
          description: `Default: ${defaultEntries}.`,
        },
        around: {
          type: "integer",
          minimum: 1,
          description: "Entry to show with its surroundings.",
        },
      },
      required: ["thread"],
      additionalProperties: false,
    },
    output,
    requires: {},
    kind: "read",
    source: "builtin",
    prepare: (args, { roots }) => ({ ...args, thread: toOwnName(args.thread, roots[0] ?? "/") }),
    execution: {
      resourceKeys: ({ thread }) => [
        thread.includes("/") ? ofOtherWorkspace(workspaceOf(thread)) : ofThisWorkspace,
      ],
    },
    execute: async ({ thread, from, limit = defaultEntries, around }, { session, signal }) => {
      if (signal.aborted) throw new ToolError("cancelled", "Aborted before the thread was read.");
      const threads = await openThreads();
      // Loaded on first use: most sessions read no other thread.
      const { readPage } = await import("./read-page.ts");
      const start = around === undefined ? (from ?? 1) : around - Math.floor(limit / 2);
      const id = thread.includes("/") ? thread : `${workspaceOf(session.id)}/${thread}`;
      const page = readPage(threads, id, { from: Math.max(1, start), limit });
      if (page !== undefined) return page;
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
    entries: { type: "integer", description: "Number of entries in the thread." },
    content: { type: "string", description: "Messages, calls and results." },
    next: { type: "integer", description: "Value of `from` for the next page, if there is more." },
  },
  required: ["thread", "title", "entries", "content"],
  additionalProperties: false,
} as const;

/** Strips the workspace from the ID of a thread of this workspace. Rules treat IDs with a slash as threads of other workspaces. */
function toOwnName(thread: string, root: string): string {
  const own = `${toWorkspaceId(root)}/`;
  return thread.startsWith(own) ? thread.slice(own.length) : thread;
}

function workspaceOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}

async function nearOnes(
  wanted: string,
  threads: Threads,
  { roots }: RuntimeSession,
): Promise<string[]> {
  const { nearestNames } = await import("@haft/core/internal");
  const listed = threads.list({ workspace: roots[0], limit: 1000 });
  const near = nearestNames(
    wanted,
    listed.flatMap(({ id, name }) => [id, name]),
  );
  return near.length > 0 ? near : listed.slice(0, 3).map(({ id }) => id);
}

function notFound(wanted: string, near: readonly string[]): ToolError {
  const others = near.length === 0 ? "" : ` Similar threads: ${near.join(", ")}.`;
  return new ToolError("not-found", `There is no thread ${JSON.stringify(wanted)}.${others}`, {
    remedy: "Use `find_thread` to search by words.",
  });
}
