import {
  type ObjectSchema,
  type PrepareEnvironment,
  type ResourceKey,
  type Runtime,
  type Tool,
  ToolError,
} from "@haft/contract";
import { findDefinitionFault, isPlainObject } from "@haft/contract/internal";
import type { CallRuntime } from "../../path/call-runtime.ts";
import { type AmpResult, fromAmpResult } from "./amp-result.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** A tool in the form of Amp's documentation: a spec, a function, and what prepares its arguments. */
export interface AmpTool<Args extends Arguments = Arguments> {
  readonly spec: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: ObjectSchema;
    /** `builtin` means a tool of the agent itself; here it is a module's. */
    readonly source?: "builtin" | "mcp" | "toolbox";
    readonly meta?: { readonly disableTimeout?: boolean };
    readonly executionProfile?: {
      readonly serial?: boolean;
      resourceKeys?(args: Args): readonly Pick<ResourceKey, "key" | "mode">[];
    };
    readonly aliases?: readonly {
      readonly name: string;
      readonly description?: string;
      readonly inputSchema?: ObjectSchema;
    }[];
  };
  /** Receives the call's runtime as its environment. */
  fn(args: Args, env: Runtime): AmpResult | Promise<AmpResult>;
  preprocessArgs?(args: Args, env: PrepareEnvironment): Args;
}

/**
 * Converts a tool in the form of Amp's documentation. Its function runs in this process with all of its
 * rights; the paths that its resource keys name must be in the workspace.
 *
 * @example
 * ```ts
 * import { createRegistry, fromAmpTool } from "@haft/core";
 *
 * const countLetters = fromAmpTool({
 *   spec: {
 *     name: "count_letters",
 *     description: "Counts the letters of a text.",
 *     inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
 *     source: "builtin",
 *   },
 *   fn: async ({ text }) => ({ status: "done", result: String(text).length }),
 * });
 * const registry = createRegistry([countLetters]);
 * ```
 */
export function fromAmpTool<Args extends Arguments = Arguments>(tool: AmpTool<Args>): Tool {
  const { spec, fn, preprocessArgs } = tool;
  const { name, description, inputSchema, source, meta, executionProfile, aliases } = spec;
  if (typeof fn !== "function") {
    throw new TypeError(`Tool ${name} has no fn. Add the function that runs it.`);
  }
  const files = executionProfile?.resourceKeys && ["{workspace}/**"];
  const converted: Tool = {
    id: name,
    description,
    parameters: inputSchema,
    requires: files === undefined ? {} : { fs: { read: files, write: files } },
    kind: "other",
    source: source === undefined || source === "builtin" ? "module" : source,
    ...(meta?.disableTimeout && { timeoutMs: "none" }),
    ...(executionProfile !== undefined && { execution: executionProfile }),
    ...(aliases !== undefined && {
      aliases: aliases.map(({ inputSchema: parameters, ...alias }) => ({
        ...alias,
        ...(parameters !== undefined && { parameters }),
      })),
    }),
    ...(preprocessArgs !== undefined && {
      prepare: (args, environment) => preprocessArgs(args as Args, environment),
    }),
    execute: async (args, runtime) => toData(await fn(args as Args, runtime), name, runtime),
  };
  const fault = findDefinitionFault(converted);
  if (fault !== undefined) throw new TypeError(fault);
  return converted;
}

function toData(answer: AmpResult, name: string, runtime: Runtime): unknown {
  if (!isResult(answer)) {
    throw new ToolError(
      "internal",
      `${name} did not return a result. Its fn must return { status: "done", result } or { status: "error", error: { message } }.`,
    );
  }
  const result = fromAmpResult(answer);
  const { track_files: changed = [], error_code: code, absolute_path: path } = result.metadata;
  if (result.type === "error") {
    throw new ToolError(code ?? "failed", result.error_text, {
      ...(path !== undefined && { absolutePath: path }),
    });
  }
  for (const file of changed) (runtime as Partial<CallRuntime>).noteChanged?.(file);
  return result.data ?? null;
}

// The function may be written in JavaScript.
function isResult(answer: unknown): answer is AmpResult {
  if (!isPlainObject(answer)) return false;
  if (answer.status === "done")
    return answer.trackFiles === undefined || isTexts(answer.trackFiles);
  return final.has(answer.status) && isPlainObject(answer.error) && isText(answer.error.message);
}

const final: ReadonlySet<unknown> = new Set(["error", "cancelled", "rejected-by-user"]);

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
