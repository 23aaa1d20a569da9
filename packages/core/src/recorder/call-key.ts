import type { JsonValue } from "@haft/contract";
import { parseArguments } from "../path/arguments.ts";

/** Returns a key that is equal for equal calls, however their arguments are written. */
export function callKey(name: string, args: string | JsonValue): string {
  return `${name} ${canonical(readArguments(name, args))}`;
}

function readArguments(name: string, args: string | JsonValue): JsonValue {
  try {
    return parseArguments(name, args);
  } catch {
    // Invalid JSON is compared as text.
    return args;
  }
}

// Two spellings of a JSON value are the same call.
function canonical(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner as JsonValue)}`).join(",")}}`;
}
