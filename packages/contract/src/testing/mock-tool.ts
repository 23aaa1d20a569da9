import type { JsonSchema, ObjectSchema } from "../json-schema.ts";
import type { Runtime } from "../runtime.ts";
import type { Tool } from "../tool.ts";
import type { ToolError } from "../tool-error.ts";

/** What a mock tool is called, how it ends, and whatever else of its declaration matters. */
export interface MockToolOptions extends Partial<Omit<Tool, "id" | "output" | "execute">> {
  readonly name: string;
  /** The data, or a function that makes it of the input; `{}` unless said. */
  readonly output?: unknown;
  /** Thrown instead of returning anything. */
  readonly error?: ToolError;
  /** What the declaration says about the data. */
  readonly outputSchema?: JsonSchema;
}

/** A tool that does nothing but remember how it was called. */
export class MockTool implements Tool {
  readonly id: string;
  readonly description: string = "Does nothing and remembers how it was called.";
  readonly parameters: ObjectSchema = { type: "object" };
  readonly requires: Tool["requires"] = {};
  readonly kind: Tool["kind"] = "other";
  readonly source: Tool["source"] = "module";
  readonly execution: NonNullable<Tool["execution"]> = { resourceKeys: () => [] };
  /** The inputs of all calls, in order. */
  readonly inputs: unknown[] = [];
  // Declared only: an absent option stays absent instead of becoming `undefined`.
  declare readonly output?: JsonSchema;
  declare readonly timeoutMs?: number | "none";
  /** Bound to this object, so that a copy made by spreading is recorded here too. */
  readonly execute: (input: unknown, runtime?: Runtime) => Promise<unknown>;

  constructor(options: MockToolOptions) {
    const { name, output = {}, error, outputSchema, ...declaration } = options;
    this.id = name;
    Object.assign(this, declaration);
    if (outputSchema !== undefined) this.output = outputSchema;
    this.execute = async (input) => {
      this.inputs.push(input);
      if (error !== undefined) throw error;
      return typeof output === "function" ? output(input) : output;
    };
  }

  /** How often the tool was called. */
  get callCount(): number {
    return this.inputs.length;
  }

  /** The input of the latest call. */
  get lastInput(): unknown {
    return this.inputs.at(-1);
  }
}
