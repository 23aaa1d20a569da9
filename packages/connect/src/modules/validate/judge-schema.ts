import { createMemoryComputer } from "@haft/computer/memory";
import {
  type JsonSchema,
  type JsonValue,
  type ObjectSchema,
  type Tool,
  ToolError,
} from "@haft/contract";
import { createRegistry, createSession, type Session } from "@haft/core";
import type { Finding } from "./checklist-item.ts";

/** The outcome for an input schema, and inputs that violate it. */
export interface JudgedSchema {
  readonly finding: Finding;
  /** Inputs that the schema forbids. Empty if none was found. */
  readonly wrongInputs: readonly Readonly<Record<string, JsonValue>>[];
}

/** Checks an input schema in the way a call does. */
export async function judgeSchema(name: string, schema: unknown): Promise<JudgedSchema> {
  const fail = (message: string, remedy: string): JudgedSchema => ({
    finding: { status: "fail", message: `${name}: ${message}`, remedy },
    wrongInputs: [],
  });
  if (typeof schema !== "object" || schema === null || Object.keys(schema).length === 0) {
    return fail("it has no input_schema.", 'Add one: {"type": "object", "properties": {…}}');
  }
  if ((schema as JsonSchema).type !== "object") {
    return fail(
      "the root of its input_schema is not an object.",
      'Put "type": "object" at the root.',
    );
  }
  const session = openSession(schema as ObjectSchema);
  // An array never matches, so the whole schema is compiled and checked.
  const { error_text, metadata } = (await session.call({ name: toolId, arguments: [] })) as {
    error_text?: string;
    metadata: { error_code?: string };
  };
  if (metadata.error_code !== "invalid-arguments") {
    return fail(
      `its input_schema is not a valid JSON Schema. ${error_text}`,
      "Use JSON Schema draft 2020-12.",
    );
  }
  const wrongInputs: Readonly<Record<string, JsonValue>>[] = [];
  for (const input of guessWrongInputs(schema as ObjectSchema)) {
    const result = await session.call({ name: toolId, arguments: input });
    if (result.metadata.error_code === "invalid-arguments") wrongInputs.push(input);
  }
  return { finding: { status: "pass" }, wrongInputs };
}

const toolId = "judged";

function openSession(parameters: ObjectSchema): Session {
  const tool: Tool = {
    id: toolId,
    description: "Stands in for the tool whose schema is checked.",
    parameters,
    requires: {},
    kind: "other",
    source: "module",
    execute: () => Promise.reject(new ToolError("failed", "This tool only checks a schema.")),
  };
  return createSession({ registry: createRegistry([tool]), computer: createMemoryComputer() });
}

function* guessWrongInputs({ properties = {} }: ObjectSchema): Iterable<Record<string, JsonValue>> {
  yield {};
  for (const [name, { type }] of Object.entries(properties)) {
    yield { [name]: type === "object" ? [true] : { unexpected: true } };
  }
  yield { unexpected_by_everybody: true };
}
