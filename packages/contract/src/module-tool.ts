import type { JsonSchema } from "./json-schema.ts";
import type { Runtime } from "./runtime.ts";

/** How a module's tool ends: with an output, or with what went wrong. */
export interface ModuleToolResult {
  readonly success: boolean;
  readonly output?: unknown;
  readonly error?: ModuleToolError | null;
}

/** What went wrong, and of which kind it is. */
export interface ModuleToolError {
  readonly message: string;
  /** The class of an exception, or one of Haft's error codes. */
  readonly type?: string;
  readonly [fact: string]: unknown;
}

/** A tool as modules know it. A whole `Tool` can say more: what it needs, and what it conflicts with. */
export interface ModuleTool {
  readonly name: string;
  readonly description: string;
  /** Any object unless said. */
  readonly input_schema?: JsonSchema;
  /**
   * Gives a `ModuleToolResult`, or its output alone. What it may know of the call, such as the
   * signal that tells it to stop, is there if it asks.
   */
  execute(input: Readonly<Record<string, unknown>>, runtime?: Runtime): unknown;
}
