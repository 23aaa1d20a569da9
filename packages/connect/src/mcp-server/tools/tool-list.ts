import type { Cleanup, ToolKind } from "@haft/contract";
import type { Session, ShownTool } from "@haft/core";
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { toOutputSchema } from "./output-schema.ts";

/** A session's tools in MCP's format. */
export interface ToolList {
  /** Returns the same array until the tools change. */
  list(view: ListView): ListedTool[];
  /** Tells whether a tool is listed. */
  has(name: string): boolean;
  /** Tells whether a tool has an output schema. */
  promises(name: string): boolean;
  /** Calls the listener when the list has changed. */
  onChange(listener: () => void): Cleanup;
  /** Applies rules that were stored meanwhile. */
  refresh(): void;
  close(): void;
}

/** A tool in MCP's format. */
export type ListedTool = Tool;

/** Which tools a client sees, and how. */
export interface ListView {
  /** Whether questions reach a person. Otherwise tools that ask are left out. */
  readonly asks: boolean;
  /** Whether results are structured. A tool with an output schema must not answer with text alone. */
  readonly hasSchemas: boolean;
}

// MCP has no steps, and changed rules must not wait until the session ends.
const maxStepMs = 1_000;

/** Creates the list of a session's tools. Changes made together take effect together. */
export function createToolList(session: Session): ToolList {
  const listeners = new Set<() => void>();
  let listed: Listed | undefined;
  const views = new Map<string, ListedTool[]>();
  let startedAt = performance.now();
  let pending: NodeJS.Immediate | undefined;

  const startStep = (): void => {
    session.startStep();
    startedAt = performance.now();
  };
  const change = (): void => {
    pending = undefined;
    startStep();
    listed = undefined;
    views.clear();
    for (const listener of listeners) listener();
  };
  const stopListening = session.on("tools:changed", () => {
    pending ??= setImmediate(change);
  });

  const list = (): Listed => {
    listed ??= toListed(session.tools());
    return listed;
  };
  const look = ({ asks, hasSchemas }: ListView): ListedTool[] =>
    list()
      .tools.filter(({ id }) => asks || id !== questionTool)
      .map(({ tool }) => (hasSchemas ? tool : withoutSchema(tool)));

  return {
    list: (view) => {
      const key = JSON.stringify([view.asks, view.hasSchemas]);
      const known = views.get(key) ?? look(view);
      views.set(key, known);
      return known;
    },
    has: (name) => list().tools.some(({ tool }) => tool.name === name),
    promises: (name) => list().promised.has(name),
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    refresh: () => {
      if (performance.now() - startedAt > maxStepMs) startStep();
    },
    close: () => {
      clearImmediate(pending);
      void stopListening();
      listeners.clear();
    },
  };
}

const questionTool = "question";

interface Listed {
  readonly tools: readonly { readonly id: string; readonly tool: ListedTool }[];
  /** The names of those with an output schema. */
  readonly promised: ReadonlySet<string>;
}

function toListed(shown: readonly ShownTool[]): Listed {
  const tools = shown.map((one) => ({ id: one.tool, tool: toMcpTool(one) }));
  const promising = tools.filter(({ tool }) => tool.outputSchema !== undefined);
  return { tools, promised: new Set(promising.map(({ tool }) => tool.name)) };
}

function withoutSchema({ outputSchema: _schema, ...tool }: ListedTool): ListedTool {
  return tool;
}

function toMcpTool(tool: ShownTool): Tool {
  const outputSchema = toOutputSchema(tool.output_schema);
  return {
    name: tool.name,
    title: toTitle(tool.name),
    description: tool.description,
    inputSchema: tool.input_schema as Tool["inputSchema"],
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: toAnnotations(tool),
  };
}

// `mcp__files__read_text` is "Files: read text".
function toTitle(name: string): string {
  const parts = name.replace(/^(?:mcp|tb)__/u, "").split("__");
  const words = parts.map((part) => part.replaceAll("_", " ")).join(": ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const reading: ReadonlySet<ToolKind> = new Set(["read", "search", "fetch", "think"]);

/**
 * Returns a tool's hints for the client's user. They follow from what the tool requires. What tools
 * from other sources do is unknown, so they get the most cautious hints.
 */
function toAnnotations({ kind, requires, source }: ShownTool): ToolAnnotations {
  if (source !== "builtin") {
    return { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  }
  const changes = requires.fs?.write !== undefined || kind === "execute";
  const openWorldHint = requires.net !== undefined || kind === "fetch";
  if (reading.has(kind) && !changes) return { readOnlyHint: true, openWorldHint };
  // A tool that only keeps its own list can't destroy anything.
  return { readOnlyHint: false, destructiveHint: changes || kind !== "other", openWorldHint };
}
