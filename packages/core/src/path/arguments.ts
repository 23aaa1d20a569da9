import { type JsonSchema, type JsonValue, ToolError } from "@haft/contract";
import { messageOf } from "../message-of.ts";
import { repair } from "../schema/repair.ts";
import { certainlyFits, fits, violations } from "../schema/schema-check.ts";
import type { Call } from "./call.ts";

/** Parses arguments that came as JSON text. Nothing at all, or null, stands for no arguments. */
export function parseArguments(tool: string, sent: string | JsonValue): JsonValue {
  if (typeof sent !== "string") return sent;
  if (sent.trim() === "") return {};
  try {
    return (JSON.parse(sent) as JsonValue) ?? {};
  } catch (error) {
    throw new ToolError(
      "invalid-arguments",
      `The arguments of ${tool} are not valid JSON: ${messageOf(error)}. Send one JSON object.`,
    );
  }
}

/** Repairs the call's arguments if they do not fit a schema, and refuses them if they still do not. */
export function fitArguments(call: Call, schema: JsonSchema, name: string): void | Promise<void> {
  const answer = repairArguments(call, schema);
  return answer === undefined
    ? requireFit(call, schema, name)
    : answer.then(() => requireFit(call, schema, name));
}

/** Repairs the call's arguments unless they fit a schema; repair leaves alone what fits. */
export function repairArguments(call: Call, schema: JsonSchema): undefined | Promise<void> {
  return certainlyFits(schema, call.args) ? undefined : repairUnfit(call, schema);
}

/** Refuses arguments that do not fit, naming each field and what was expected. */
export function requireFit(
  call: Call,
  schema: JsonSchema,
  name: string,
): undefined | Promise<void> {
  const fit = checkFit(call, schema);
  return fit === true ? undefined : refuseUnfit(call, schema, { name, fit });
}

async function repairUnfit(call: Call, schema: JsonSchema): Promise<void> {
  try {
    const { value, repairs } = await repair(schema, call.args);
    call.args = value;
    if (repairs.length > 0) call.repairs = [...call.repairs, ...repairs];
  } catch {
    // A schema too broken to be followed is for validation to name.
  }
}

async function refuseUnfit(
  call: Call,
  schema: JsonSchema,
  { name, fit }: { readonly name: string; readonly fit: boolean | Promise<boolean> },
): Promise<void> {
  if (await fit) return;
  const faults = await violations(schema, call.args);
  throw new ToolError(
    "invalid-arguments",
    `The arguments do not fit ${name}: ${faults.join("; ")}. Expected: ${signature(schema)}.`,
  );
}

function checkFit(call: Call, schema: JsonSchema): boolean | Promise<boolean> {
  try {
    const fit = fits(schema, call.args);
    if (typeof fit === "boolean") return fit;
    return fit.catch((error) => {
      throw schemaFault(call, error);
    });
  } catch (error) {
    throw schemaFault(call, error);
  }
}

function schemaFault(call: Call, error: unknown): ToolError {
  // A schema that refers to itself follows the arguments as deep as they go.
  if (error instanceof RangeError) {
    return new ToolError("invalid-arguments", "The arguments are nested too deeply.");
  }
  return new ToolError(
    "internal",
    `The tool ${call.tool.id} can't be used: the schema of its parameters does not compile (${messageOf(error)}). Its author has to repair it.`,
    { cause: error },
  );
}

function signature(schema: JsonSchema): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? "" : "?";
    const type = [property.type ?? "any"].flat().join("|");
    return `${name}${mark}: ${type}`;
  });
  return `{ ${fields.join(", ")} }`;
}
