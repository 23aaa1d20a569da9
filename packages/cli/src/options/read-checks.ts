import type { JsonValue } from "@haft/contract";
import type { CallRequest, Rule } from "@haft/core";
import { UsageError } from "../usage-error.ts";
import { readRule } from "./common-options.ts";

/** A call to check, with rules of its own in addition to those in effect. */
export interface CheckRow {
  readonly request: CallRequest;
  readonly rules: readonly Rule[];
}

/** Parses `[{name, arguments, rules?}, …]`. Errors name the row. */
export function readChecks(text: string): CheckRow[] {
  const list = parse(text);
  if (!Array.isArray(list)) {
    throw new UsageError('The checks are a JSON array: [{"name": "bash", "arguments": {…}}, …]');
  }
  return list.map(readRow);
}

function readRow(item: unknown, index: number): CheckRow {
  const place = `Row ${index + 1}`;
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw new UsageError(`${place} is not an object with name and arguments.`);
  }
  const { id: _, name, arguments: args, rules = [], ...unknown } = item as Fields;
  const [odd] = Object.keys(unknown);
  if (odd !== undefined) {
    throw new UsageError(`${place} has an unknown field ${JSON.stringify(odd)}.`);
  }
  if (typeof name !== "string") throw new UsageError(`${place} has no name.`);
  if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === "string")) {
    throw new UsageError(`${place}: rules are strings such as 'PERMISSION PATTERN ACTION'.`);
  }
  return {
    request: { name, arguments: args ?? {} },
    rules: rules.map((rule) => readRule(rule, place)),
  };
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The checks are not valid JSON: ${(error as Error).message}`);
  }
}
