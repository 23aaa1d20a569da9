import type { Runtime } from "../runtime.ts";
import type { Tool } from "../tool.ts";
import { createTestRuntime } from "./create-test-runtime.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";
import type { ToolExample } from "./tool-example.ts";

/** The outcome of a call. Arguments that don't fit the schema are refused before the tool runs. */
export type Outcome =
  | { readonly type: "data"; readonly data: unknown }
  | { readonly type: "thrown"; readonly thrown: unknown }
  | { readonly type: "refused" }
  | { readonly type: "stuck" };

/** Calls a tool as in an example. An aborted call has one second to end. */
export async function callExample(
  tool: Tool,
  example: ToolExample,
  signal?: "aborted",
): Promise<Outcome> {
  if ((await findArgumentsMisfit(tool, example)) !== undefined) return { type: "refused" };
  const given = deepFreeze(example.arguments);
  const runtime = await (example.runtime ?? createTestRuntime)();
  if (signal === undefined) return settle(async () => tool.execute(given, runtime));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ type: "stuck" }), 1_000);
  });
  const call = settle(async () => tool.execute(given, abortRuntime(runtime)));
  return Promise.race([call, patience]).finally(() => clearTimeout(timer));
}

/** Returns what is wrong with an example's arguments. With a broken schema, trusts what the example expects. */
export async function findArgumentsMisfit(
  tool: Tool,
  example: ToolExample,
): Promise<string | undefined> {
  const compile = await loadSchemaCompiler();
  try {
    return compile(tool.parameters)(example.arguments);
  } catch {
    return example.expect?.error === "invalid-arguments"
      ? "unknown: the schema is broken"
      : undefined;
  }
}

async function settle(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { type: "data", data: await call() };
  } catch (thrown) {
    return { type: "thrown", thrown };
  }
}

// A proxy instead of a copy: a runtime may be a class whose methods need their own `this`.
function abortRuntime(runtime: Runtime): Runtime {
  const signal = AbortSignal.abort();
  return new Proxy(runtime, {
    get: (target, name) => {
      if (name === "signal") return signal;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
