import { type AiSdkTool, toAiSdkTools } from "@haft/connect/ai-sdk";
import type { Session, ShownTool } from "@haft/core";
import { tokensOfDefinition } from "@haft/core/internal";
import type { ToolSet } from "ai";
import type { OpenModel } from "../models/open-model.ts";

/** The tools of a request. */
export interface ModelTools {
  /** For the AI SDK, which does not run them itself. */
  readonly set: ToolSet;
  readonly count: number;
  /** Estimated number of tokens. */
  readonly tokens: number;
  /** Returns the session's name of a tool that the model calls by this name. */
  nameOf(called: string): string;
  /** Returns the tool that this name of the session calls. */
  find(name: string): ShownTool | undefined;
}

/** Converts a session's tools. As long as they don't change, the same objects are returned. */
export function createModelTools(session: Session): (form: OpenModel["form"]) => ModelTools {
  let last: { form: OpenModel["form"]; shown: readonly ShownTool[]; tools: ModelTools } | undefined;
  return (form) => {
    const shown = session.tools();
    if (last === undefined || last.form !== form || !areSame(shown, last.shown)) {
      last = { form, shown, tools: makeTools(session, shown, form) };
    }
    return last.tools;
  };
}

function makeTools(
  session: Session,
  shown: readonly ShownTool[],
  form: OpenModel["form"],
): ModelTools {
  const ours = toAiSdkTools(session, { form });
  const called = Object.keys(ours);
  // Both lists are in the same order.
  const names = new Map(shown.map(({ name }, at) => [called[at] ?? name, name]));
  const byName = new Map(shown.map((tool) => [tool.name, tool]));
  return {
    set: Object.fromEntries(Object.entries(ours).map(([name, tool]) => [name, toShown(tool)])),
    count: shown.length,
    tokens: shown.reduce((sum, tool) => sum + tokensOfDefinition(tool), 0),
    nameOf: (name) => names.get(name) ?? name,
    find: (name) => byName.get(name) ?? session.tools("all").find((tool) => tool.name === name),
  };
}

// Without `execute` the SDK returns all calls of a step for us to run.
function toShown({ execute: _, toModelOutput: _output, ...tool }: AiSdkTool): ToolSet[string] {
  return tool as ToolSet[string];
}

function areSame(some: readonly ShownTool[], others: readonly ShownTool[]): boolean {
  return (
    some.length === others.length &&
    some.every((tool, at) => {
      const other = others[at];
      return (
        tool.name === other?.name &&
        tool.description === other.description &&
        tool.input_schema === other.input_schema &&
        tool.tool === other.tool
      );
    })
  );
}
