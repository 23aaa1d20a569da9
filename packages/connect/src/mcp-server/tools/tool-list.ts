import type { Cleanup } from "@haft/contract";
import type { Session, ShownTool } from "@haft/core";
import type { Tool } from "@modelcontextprotocol/server";
import { toOutputSchema } from "./output-schema.ts";
import { toAnnotations } from "./tool-annotations.ts";

/** A session's tools as MCP lists them. */
export interface ToolList {
  /** Always the same array until something changed. */
  list(): Tool[];
  /** Whether the list has a schema for what this tool gives. */
  promises(name: string): boolean;
  /** Tells when the list has become another. */
  onChange(listener: () => void): Cleanup;
  /** Has rules that were stored meanwhile take effect. */
  refresh(): void;
  close(): void;
}

// MCP has no turns, but rules that somebody changes must not wait for the end of a long day.
const longestTurnMs = 1_000;

/** Keeps a session's list of tools. Changes take effect together, once whoever makes them is done. */
export function createToolList(session: Session): ToolList {
  const listeners = new Set<() => void>();
  let listed: Listed | undefined;
  let startedAt = performance.now();
  let pending: NodeJS.Immediate | undefined;

  const startTurn = (): void => {
    session.startTurn();
    startedAt = performance.now();
  };
  const change = (): void => {
    pending = undefined;
    startTurn();
    listed = undefined;
    for (const listener of listeners) listener();
  };
  const stopListening = session.on("tools:changed", () => {
    pending ??= setImmediate(change);
  });

  const list = (): Listed => {
    listed ??= toListed(session.tools().map(toMcpTool));
    return listed;
  };

  return {
    list: () => list().tools,
    promises: (name) => list().promised.has(name),
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    refresh: () => {
      if (performance.now() - startedAt > longestTurnMs) startTurn();
    },
    close: () => {
      clearImmediate(pending);
      void stopListening();
      listeners.clear();
    },
  };
}

interface Listed {
  readonly tools: Tool[];
  /** The names of those with an output schema. */
  readonly promised: ReadonlySet<string>;
}

function toListed(tools: Tool[]): Listed {
  const promising = tools.filter(({ outputSchema }) => outputSchema !== undefined);
  return { tools, promised: new Set(promising.map(({ name }) => name)) };
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
