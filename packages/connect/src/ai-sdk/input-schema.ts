import type { WireSchema } from "../formats/plain-schema.ts";

/** A tool's parameters for the AI SDK: a Standard Schema with its JSON Schema. */
export interface InputSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "haft";
    validate(value: unknown): { readonly value: unknown };
    readonly jsonSchema: {
      input(options: unknown): Record<string, unknown>;
      output(options: unknown): Record<string, unknown>;
    };
  };
}

// Marks a schema as the SDK's own. It uses those unchanged, and closes every object of others.
const ownSchema = Symbol.for("vercel.ai.schema");

/**
 * Wraps a schema for the AI SDK. Its validation accepts every input, because the session repairs and
 * validates arguments and names the wrong field.
 */
export function createInputSchema(schema: WireSchema): InputSchema {
  // The SDK modifies the schemas it converts.
  const copy = (): WireSchema => structuredClone(schema);
  return Object.assign(
    {
      "~standard": {
        version: 1,
        vendor: "haft",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: copy, output: copy },
      },
    } as const,
    {
      [ownSchema]: true,
      jsonSchema: copy(),
      validate: (value: unknown) => ({ success: true, value }),
    },
  );
}
