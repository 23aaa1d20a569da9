import { type JsonSchema, type JsonValue, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { repair } from "../schema/repair.ts";
import { certainlyFits, fits, violations } from "../schema/schema-check.ts";
import { SchemaEffortError } from "../schema/validator/schema-run.ts";
import type { Call } from "./call.ts";

/** Parses arguments that were sent as JSON text. Empty text and null stand for no arguments. */
export function parseArguments(tool: string, sent: string | JsonValue): JsonValue {
  if (typeof sent !== "string") return sent;
  if (sent.trim() === "") return {};
  try {
    return (JSON.parse(sent) as JsonValue) ?? {};
  } catch (error) {
    throw new ToolError(
      "invalid-arguments",
      `The arguments of ${tool} are not valid JSON: ${toErrorMessage(error)}. Send one JSON object.`,
    );
  }
}

/** Repairs the call's arguments if they do not fit a schema. Throws if they still do not fit. */
export function fitArguments(call: Call, schema: JsonSchema, name: string): void {
  if (!fitsRepaired(call, schema)) requireFit(call, schema, name);
}

/** Repairs the call's arguments if they do not fit a schema. Returns whether they fit now. */
export function fitsRepaired(call: Call, schema: JsonSchema): boolean {
  return repairArguments(call, schema) || certainlyFits(schema, call.args);
}

/** Repairs the call's arguments unless they fit a schema. Returns whether they fitted as they were. */
export function repairArguments(call: Call, schema: JsonSchema): boolean {
  if (certainlyFits(schema, call.args)) return true;
  try {
    const { value, repairs } = repair(schema, call.args);
    call.args = value;
    if (repairs.length > 0) call.repairs = [...call.repairs, ...repairs];
  } catch {
    // Validation reports a broken schema.
  }
  return false;
}

/** Throws for arguments that do not fit. The message names each field and what was expected. */
export function requireFit(call: Call, schema: JsonSchema, name: string): void {
  let faults: readonly string[];
  try {
    if (fits(schema, call.args)) return;
    faults = violations(schema, call.args);
  } catch (error) {
    throw schemaFault(call, error);
  }
  throw new ToolError(
    "invalid-arguments",
    `The arguments do not fit ${name}: ${faults.join("; ")}. Expected: ${signature(schema)}.`,
  );
}

function schemaFault(call: Call, error: unknown): ToolError {
  // A schema that refers to itself follows the arguments as deep as they go.
  if (error instanceof RangeError) {
    return new ToolError("invalid-arguments", "The arguments are nested too deeply.");
  }
  if (error instanceof SchemaEffortError) {
    return new ToolError(
      "invalid-arguments",
      `The arguments are too large to check: ${error.message}. Send fewer or smaller values.`,
    );
  }
  return new ToolError(
    "internal",
    `The tool ${call.tool.id} can't be used because its parameter schema is invalid: ${toErrorMessage(error)}. The author of the tool must fix this.`,
    { cause: error },
  );
}

const maxFieldsShown = 50;

/** Returns the fields of a schema with their types, for messages. */
export function signature(schema: JsonSchema): string {
  const all = Object.entries(schema.properties ?? {});
  const fields = all.slice(0, maxFieldsShown).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? "" : "?";
    const type = [property.type ?? "any"].flat().join("|");
    return `${name}${mark}: ${type}`;
  });
  if (all.length > maxFieldsShown) fields.push("…");
  return `{ ${fields.join(", ")} }`;
}
