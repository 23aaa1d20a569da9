import { type Runtime, ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";

/** Options of a cell. */
export interface CellOptions {
  /** How long a call waits for it. */
  readonly yieldMs: number;
  /** Maximum number of characters of text in a result. */
  readonly maxLength: number;
}

const defaultYieldMs = 10_000;
const defaultMaxTokens = 10_000;
const maxYieldMs = 60 * 60 * 1000;
const charactersPerToken = 4;
const pragma = /^[ \t]*\/\/[ \t]*@exec:(?<json>[^\r\n]*)/u;
const example = '// @exec: {"yield_time_ms": 10000, "max_output_tokens": 10000}';

/**
 * Reads the options in the first line of a program, such as `// @exec: {"yield_time_ms": 1000}`. The line
 * is a comment and stays, so that the program's lines keep their numbers. Throws `invalid-arguments`.
 */
export function readCellOptions(code: string): CellOptions {
  const found = pragma.exec(code);
  if (found === null) return toCellOptions({});
  const given = parse(found.groups?.json ?? "");
  for (const [key, value] of Object.entries(given)) {
    if (key !== "yield_time_ms" && key !== "max_output_tokens") {
      throw refuse(`has the unknown key ${JSON.stringify(key)}`);
    }
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw refuse(`has ${key} ${JSON.stringify(value)}, which is not a whole number from 0`);
    }
  }
  if (code.slice(found[0].length).trim() === "") throw refuse("has no program below it");
  const { yield_time_ms: yieldMs, max_output_tokens: maxTokens } = given;
  return toCellOptions({ yieldMs: yieldMs as number, maxTokens: maxTokens as number });
}

/** Completes options with the defaults. */
export function toCellOptions({
  yieldMs = defaultYieldMs,
  maxTokens = defaultMaxTokens,
}: {
  readonly yieldMs?: number | undefined;
  readonly maxTokens?: number | undefined;
}): CellOptions {
  return { yieldMs: Math.min(yieldMs, maxYieldMs), maxLength: maxTokens * charactersPerToken };
}

/** Returns the room for a cell's text: what the model asks for, as far as the client has it. */
export function roomOf(maxLength: number, { max_bytes: bytes }: Runtime["settings"]): number {
  return typeof bytes === "number" ? Math.min(maxLength, bytes) : maxLength;
}

function parse(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refuse("is not valid JSON");
  }
  if (!isPlainObject(value)) throw refuse("is not a JSON object");
  return value;
}

function refuse(why: string): ToolError {
  return new ToolError(
    "invalid-arguments",
    `The first line ${why}. Write it like this, with the program below it: ${example}`,
  );
}
