import type { JsonSchema } from "@haft/contract";
import type { ToolRunResult } from "../runner/runner.ts";
import { createValueValidator } from "./input-validator.ts";

/** Returns the result, or a failed one if its output does not match the tool's output schema. */
export type OutputCheck = (result: ToolRunResult) => ToolRunResult;

/** Creates the check of a tool's outputs. Without a schema it accepts everything. */
export function createOutputCheck(schema: JsonSchema | undefined): OutputCheck {
  if (schema === undefined) return (result) => result;
  const validate = createValueValidator(schema, "output");
  return (result) => {
    if (!result.succeeded) return result;
    // A tool returns a string, or a value that was converted to JSON.
    const complaint = validate(result.output);
    if (complaint === undefined) return result;
    const value = parse(result.output);
    const why = value === undefined ? complaint : validate(value);
    if (why === undefined) return result;
    return {
      ...(result.printed && { printed: result.printed }),
      succeeded: false,
      exceptionType: "InvalidOutput",
      exceptionMessage: `The output does not match outputSchema in tool.json: ${why}. Return what the schema describes, or publish a version with a different schema.`,
      exceptionStackTrace: [],
      durationMs: result.durationMs,
    };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
