import type { JsonSchema, ObjectSchema } from "../json-schema.ts";
import type { ModuleTool, ModuleToolResult } from "../module-tool.ts";
import type { Runtime } from "../runtime.ts";
import type { Tool } from "../tool.ts";
import type { ToolError } from "../tool-error.ts";

/** The name, the outcome and other parts of the declaration of a mock tool. */
export interface MockToolOptions extends Partial<Omit<Tool, "id" | "output" | "execute">> {
  readonly name: string;
  /** The data, or a function that computes it from the input. Default: `{}`. */
  readonly output?: unknown;
  /** Thrown instead of returning data. */
  readonly error?: ToolError;
  /** The declared schema of the data. */
  readonly outputSchema?: JsonSchema;
}

/**
 * A tool that only records its calls. It also has the names of a module's tool, and without a runtime
 * it returns a `ModuleToolResult`, as a module's tool does.
 *
 * @example
 * ```ts
 * import { MockTool } from "@haft/contract/testing";
 *
 * const tool = new MockTool({ name: "greet", output: { greeting: "Hello" } });
 * const result = await tool.execute({ name: "Ada" });
 * result.output; // { greeting: "Hello" }
 * tool.lastInput; // { name: "Ada" }
 * ```
 */
export class MockTool implements Tool, ModuleTool {
  readonly id: string;
  readonly description: string = "Does nothing except record its calls.";
  readonly parameters: ObjectSchema = { type: "object" };
  readonly requires: Tool["requires"] = {};
  readonly kind: Tool["kind"] = "other";
  readonly source: Tool["source"] = "module";
  readonly execution: NonNullable<Tool["execution"]> = { resourceKeys: () => [] };
  /** The inputs of all calls, in order. */
  readonly inputs: unknown[] = [];
  // Only declared, so that an absent option stays absent instead of becoming `undefined`.
  declare readonly output?: JsonSchema;
  declare readonly timeoutMs?: number | "none";
  /** Bound to this object, so that calls of a spread copy are recorded here too. */
  readonly execute: MockExecute;

  constructor(options: MockToolOptions) {
    const { name, output = {}, error, outputSchema, ...declaration } = options;
    this.id = name;
    Object.assign(this, declaration);
    if (outputSchema !== undefined) this.output = outputSchema;
    const run = (input: unknown): unknown => {
      this.inputs.push(input);
      if (error !== undefined) throw error;
      return typeof output === "function" ? output(input) : output;
    };
    this.execute = (async (input, runtime) =>
      runtime === undefined ? asModuleTool(() => run(input)) : run(input)) as MockExecute;
  }

  /** The id. */
  get name(): string {
    return this.id;
  }

  /** The parameters. */
  get input_schema(): ObjectSchema {
    return this.parameters;
  }

  /** The number of calls. */
  get callCount(): number {
    return this.inputs.length;
  }

  /** The number of calls. */
  get call_count(): number {
    return this.inputs.length;
  }

  /** The input of the latest call. */
  get lastInput(): unknown {
    return this.inputs.at(-1);
  }
}

/** Executes a mock tool as a module's tool, or with a runtime as a session does. */
interface MockExecute {
  (input: unknown): Promise<ModuleToolResult>;
  (input: unknown, runtime: Runtime | undefined): Promise<unknown>;
}

async function asModuleTool(run: () => unknown): Promise<ModuleToolResult> {
  try {
    return { success: true, output: await run(), error: null };
  } catch (error) {
    const { message, code, name } = error as ToolError;
    return { success: false, output: null, error: { message, type: code ?? name } };
  }
}
