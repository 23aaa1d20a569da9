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

// How the SDK knows its own schemas, which it takes as they are; of others it closes every object.
const ownSchema = Symbol.for("vercel.ai.schema");

/**
 * Wraps a schema for the AI SDK. Every input passes: the session repairs and validates it, and its
 * error names the field.
 */
export function createInputSchema(schema: WireSchema): InputSchema {
  // The SDK writes into what it converts.
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
