import type { JsonSchema } from "./json-schema.ts";
import type { Runtime } from "./runtime.ts";

/** The result of a module's tool: an output or an error. */
export interface ModuleToolResult {
  readonly success: boolean;
  readonly output?: unknown;
  readonly error?: ModuleToolError | null;
}

/** The error of a module's tool. */
export interface ModuleToolError {
  readonly message: string;
  /** The class of an exception, or one of Haft's error codes. */
  readonly type?: string;
  readonly [fact: string]: unknown;
}

/** A tool in the form that modules use. A `Tool` can declare more, such as requirements and conflicts. */
export interface ModuleTool {
  readonly name: string;
  readonly description: string;
  /** Default: any object. */
  readonly input_schema?: JsonSchema;
  /**
   * Returns a `ModuleToolResult` or just the output. `runtime` gives access to the call, such as its
   * abort signal.
   */
  execute(input: Readonly<Record<string, unknown>>, runtime?: Runtime): unknown;
}
