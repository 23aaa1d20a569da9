import type { JsonValue, ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { nameTools } from "./name-tools.ts";
import type { NameRule } from "./provider-names.ts";

/** Options for running a model's calls. */
export interface RunOptions {
  /** Cancels the calls. Each then returns an error result. */
  readonly signal?: AbortSignal;
  /** The ids of calls that a person has approved. */
  readonly approved?: readonly string[];
}

/** A call as the provider's model requested it. */
export interface ProviderCall {
  readonly id: string | undefined;
  readonly name: string;
  /** The text that the model wrote, or the parsed value. */
  readonly arguments?: unknown;
  /** The plain text that the model wrote instead. */
  readonly text?: string;
}

/** Runs calls in parallel unless they conflict. Returns one result each, in order. Never throws. */
export async function runCalls(
  session: Session,
  calls: readonly ProviderCall[],
  { rule, signal, approved = [] }: RunOptions & { readonly rule: NameRule },
): Promise<ToolResult[]> {
  const names = nameTools(session, rule);
  const requests = calls.map(({ id, name: called, arguments: args, text }) => {
    const name = names.fromProvider(called);
    const given = text === undefined ? (args ?? {}) : readInput(text, name, session);
    return {
      name,
      arguments: given as string | JsonValue,
      ...(id === undefined || id === "" ? {} : { id }),
      approved: id !== undefined && approved.includes(id),
    };
  });
  const outcomes = await session.batch(requests, signal === undefined ? {} : { signal });
  return outcomes.map(({ result }) => result);
}

/** Returns the arguments of a call. A tool that takes plain text gets a text as its parameter. */
export function readInput(input: unknown, name: string, session: Session): string | JsonValue {
  if (typeof input !== "string") return input as JsonValue;
  const tool = session.tools("all").find((one) => one.name === name);
  return tool?.freeform === undefined ? input : { [tool.freeform.parameter]: input };
}
