import type { JsonValue } from "@haft/contract";
import { parseArguments } from "../path/arguments.ts";
import { toCanonicalJson } from "./canonical-json.ts";

/** Returns a key that is equal for equal calls, however their arguments are written. */
export function callKey(name: string, args: string | JsonValue): string {
  return `${name} ${toCanonicalJson(readArguments(name, args))}`;
}

function readArguments(name: string, args: string | JsonValue): JsonValue {
  try {
    return parseArguments(name, args);
  } catch {
    // Invalid JSON is compared as text.
    return args;
  }
}
