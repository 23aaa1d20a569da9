import { type AiSdkTool, toAiSdkTools } from "@haft/connect/ai-sdk";
import type { Session, ShownTool } from "@haft/core";
import { tokensOfDefinition } from "@haft/core/internal";
import type { LanguageModel, ModelMessage, ToolSet } from "ai";
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
  /** Returns the input of a call as an object, also if the model wrote plain text. */
  readInput(called: string, input: unknown): unknown;
  /** Returns the messages with the inputs of calls as the model wrote them. */
  toSent(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** Returns the tool that this name of the session calls. */
  find(name: string): ShownTool | undefined;
}

/** Converts a session's tools. As long as they don't change, the same objects are returned. */
export function createModelTools(
  session: Session,
): (form: OpenModel["form"], model?: LanguageModel) => ModelTools {
  let last: (ToolForm & { shown: readonly ShownTool[]; tools: ModelTools }) | undefined;
  return (form, model) => {
    const shown = session.tools();
    const isSame = last?.form === form && last.model === model && areSame(shown, last.shown);
    if (last === undefined || !isSame) {
      last = { form, model, shown, tools: makeTools(session, shown, { form, model }) };
    }
    return last.tools;
  };
}

interface ToolForm {
  readonly form: OpenModel["form"];
  readonly model: LanguageModel | undefined;
}

function makeTools(session: Session, shown: readonly ShownTool[], toolForm: ToolForm): ModelTools {
  const ours = toAiSdkTools(session, toolForm);
  const called = Object.keys(ours);
  // Both lists are in the same order.
  const names = new Map(shown.map(({ name }, at) => [called[at] ?? name, name]));
  // The tools that the model calls with plain text, and the parameter that gets it.
  const texts = new Map(
    shown.flatMap(({ freeform }, at): [string, string][] => {
      const name = called[at] ?? "";
      return freeform && ours[name]?.type === "provider" ? [[name, freeform.parameter]] : [];
    }),
  );
  const byName = new Map(shown.map((tool) => [tool.name, tool]));
  return {
    set: Object.fromEntries(Object.entries(ours).map(([name, tool]) => [name, toShown(tool)])),
    count: shown.length,
    tokens: shown.reduce((sum, tool) => sum + tokensOfDefinition(tool), 0),
    nameOf: (name) => names.get(name) ?? name,
    readInput: (name, input) => {
      const parameter = texts.get(name);
      return parameter === undefined || typeof input !== "string" ? input : { [parameter]: input };
    },
    toSent: (messages) => (texts.size === 0 ? messages : messages.map((one) => toText(one, texts))),
    find: (name) => byName.get(name) ?? session.tools("all").find((tool) => tool.name === name),
  };
}

// Without `execute` the SDK returns all calls of a step for us to run.
function toShown({ execute: _, toModelOutput: _output, ...tool }: AiSdkTool): ToolSet[string] {
  return tool as ToolSet[string];
}

function toText(message: ModelMessage, texts: ReadonlyMap<string, string>): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const isText = (part: (typeof message.content)[number]): boolean =>
    part.type === "tool-call" && texts.has(part.toolName);
  if (!message.content.some(isText)) return message;
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== "tool-call") return part;
      const parameter = texts.get(part.toolName);
      if (parameter === undefined) return part;
      return { ...part, input: String((part.input as Record<string, unknown>)[parameter] ?? "") };
    }),
  };
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
