import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonValue } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { CallRequest } from "@haft/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Reads the file that the arguments name, or standard input for `-` or no argument. */
export async function readSource(positionals: readonly string[], io: Io): Promise<string> {
  const [file] = positionals;
  if (file === undefined || file === "-") return io.readInput();
  try {
    return readFileSync(resolve(io.directory, file), "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Parses a batch of calls. Errors name the call. Calls without an ID get a number. */
export function readBatch(text: string): CallRequest[] {
  const list = parse(text);
  if (!Array.isArray(list)) {
    throw new UsageError('A batch must be a JSON array: [{"name": "read", "arguments": {…}}, …]');
  }
  const requests = list.map(readRequest);
  const seen = new Set<string>();
  for (const { id } of requests) {
    if (seen.has(id)) throw new UsageError(`Two calls of the batch have the ID ${id}.`);
    seen.add(id);
  }
  return requests;
}

function readRequest(item: unknown, index: number): CallRequest & { id: string } {
  const label = `Call ${index + 1} of the batch`;
  if (!isPlainObject(item)) {
    throw new UsageError(`${label} is not an object with name and arguments.`);
  }
  const { id, name, arguments: args, ...unknown } = item as Record<string, JsonValue>;
  const [odd] = Object.keys(unknown);
  if (odd !== undefined) {
    throw new UsageError(`${label} has an unknown field ${JSON.stringify(odd)}.`);
  }
  if (typeof name !== "string") throw new UsageError(`${label} has no name.`);
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    throw new UsageError(`${label}: the ID must be a string or a number.`);
  }
  return { id: String(id ?? index + 1), name, arguments: args ?? {} };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The batch is not valid JSON: ${(error as Error).message}`);
  }
}
