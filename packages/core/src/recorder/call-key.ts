import type { JsonValue } from "@haft/contract";
import { parseArguments } from "../path/arguments.ts";

/** The same for two calls if they are the same, however their arguments are spelled. */
export function callKey(name: string, args: string | JsonValue): string {
  return `${name} ${canonical(readArguments(name, args))}`;
}

function readArguments(name: string, args: string | JsonValue): JsonValue {
  try {
    return parseArguments(name, args);
  } catch {
    // What was no JSON then is none now, and is the same call.
    return args;
  }
}

// Two spellings of one JSON value are one call.
function canonical(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner as JsonValue)}`).join(",")}}`;
}
