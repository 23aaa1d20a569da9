import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonValue } from "@haft/contract";
import type { CallRequest } from "@haft/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** The text of the file that a command was given, or of standard input for `-` or nothing. */
export async function readSource(positionals: readonly string[], io: Io): Promise<string> {
  const [file, extra] = positionals;
  if (extra !== undefined) throw new UsageError(`One file is enough; what is ${extra}?`);
  if (file === undefined || file === "-") return io.readInput();
  try {
    return readFileSync(resolve(io.directory, file), "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** Reads a batch of calls; each fault names the call it is in. Calls without an id get a number. */
export function readBatch(text: string): CallRequest[] {
  const list = parse(text);
  if (!Array.isArray(list)) {
    throw new UsageError('A batch is a JSON array: [{"name": "read", "arguments": {…}}, …]');
  }
  const requests = list.map(readRequest);
  const seen = new Set<string>();
  for (const { id } of requests) {
    if (seen.has(id)) throw new UsageError(`Two calls of the batch have the id ${id}.`);
    seen.add(id);
  }
  return requests;
}

function readRequest(item: unknown, index: number): CallRequest & { id: string } {
  const place = `Call ${index + 1} of the batch`;
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw new UsageError(`${place} is not an object with name and arguments.`);
  }
  const { id, name, arguments: args, ...unknown } = item as Record<string, JsonValue>;
  const [odd] = Object.keys(unknown);
  if (odd !== undefined) {
    throw new UsageError(`${place} has an unknown field ${JSON.stringify(odd)}.`);
  }
  if (typeof name !== "string") throw new UsageError(`${place} has no name.`);
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    throw new UsageError(`${place}: the id must be a text or a number.`);
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
