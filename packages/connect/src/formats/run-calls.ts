import type { JsonValue, ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { nameTools } from "./name-tools.ts";
import type { NameRule } from "./provider-names.ts";

/** How calls of a model are run. */
export interface RunOptions {
  /** Stops the calls; each then ends in an error result. */
  readonly signal?: AbortSignal;
  /** The ids of calls that a person has seen and said yes to. */
  readonly approved?: readonly string[];
}

/** A call as a provider's model asked for it. */
export interface ProviderCall {
  readonly id: string | undefined;
  readonly name: string;
  /** Text as the model wrote it, or what it stands for. */
  readonly arguments: unknown;
}

/** Runs calls at once, as far as they don't conflict. One result each, in order; nothing throws. */
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
