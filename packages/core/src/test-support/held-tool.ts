import type { ResourceKey, Runtime, Tool } from "@haft/contract";

/** One call of a held tool, which goes on until it is told to end. */
export interface HeldCall {
  readonly args: unknown;
  readonly runtime: Runtime;
  finish(data?: unknown): void;
  fail(error: unknown): void;
}

/** A tool that does nothing by itself: the test decides when and how each call ends. */
export interface HeldTool extends Tool<{ readonly key?: string }> {
  /** The calls that were started, in that order. */
  readonly calls: readonly HeldCall[];
}

/** Makes a held tool. By default its calls touch the file that `key` names. */
export function createHeldTool(
  id: string,
  mode: ResourceKey["mode"],
  declaration: Partial<Tool<{ readonly key?: string }>> = {},
): HeldTool {
  const calls: HeldCall[] = [];
  return {
    id,
    description: "Goes on until the test ends it.",
    parameters: { type: "object" },
    requires: { fs: { read: ["**"], write: ["**"] } },
    kind: "other",
    source: "module",
    execution: { resourceKeys: ({ key }) => (key === undefined ? [] : [{ key, mode }]) },
    ...declaration,
    calls,
    execute: (args, runtime) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      calls.push({ args, runtime, finish: resolve, fail: reject });
      return promise;
    },
  };
}
