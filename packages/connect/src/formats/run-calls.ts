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
  readonly arguments: unknown;
}

/** Runs calls in parallel unless they conflict. Returns one result each, in order. Never throws. */
export async function runCalls(
  session: Session,
  calls: readonly ProviderCall[],
  { rule, signal, approved = [] }: RunOptions & { readonly rule: NameRule },
): Promise<ToolResult[]> {
  const names = nameTools(session, rule);
  const requests = calls.map(({ id, name, arguments: args }) => ({
    name: names.fromProvider(name),
    arguments: (args ?? {}) as string | JsonValue,
    ...(id === undefined || id === "" ? {} : { id }),
    approved: id !== undefined && approved.includes(id),
  }));
  const outcomes = await session.batch(requests, signal === undefined ? {} : { signal });
  return outcomes.map(({ result }) => result);
}
