import { type JsonValue, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";

const maxDepth = 256;

/**
 * Returns an upper bound of the size of data as JSON in bytes, without serialising it, or `undefined`
 * if the data is not plain JSON.
 */
export function boundJsonSize(data: unknown, depth = 0): number | undefined {
  switch (typeof data) {
    case "string":
      // A UTF-16 unit takes at most six bytes: the escape of a control character.
      return data.length * 6 + 2;
    case "number":
      // The longest number is a small fraction: a sign, five zeros after the point and 17 digits.
      return Number.isFinite(data) ? 25 : undefined;
    case "boolean":
      return 5;
    case "object":
      return data === null ? 4 : boundObjectSize(data, depth);
    default:
      return undefined;
  }
}

/** Converts data to plain JSON by serialising and parsing it. Throws if that is not possible. */
export function toJson(data: unknown, tool: string): JsonValue {
  if (data === undefined) return null;
  try {
    const text = JSON.stringify(data);
    if (text !== undefined) return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw notJson(tool, toErrorMessage(error), error);
  }
  throw notJson(tool, `it is a ${typeof data}`, undefined);
}

function boundObjectSize(data: object, depth: number): number | undefined {
  if (depth > maxDepth) return undefined;
  let size = 2;
  if (Array.isArray(data)) {
    for (const item of data) {
      const inner = boundJsonSize(item, depth + 1);
      if (inner === undefined) return undefined;
      size += inner + 1;
    }
    return size;
  }
  const prototype = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  for (const key in data) {
    const inner = boundJsonSize((data as Record<string, unknown>)[key], depth + 1);
    if (inner === undefined) return undefined;
    size += key.length * 6 + inner + 4;
  }
  return size;
}

function notJson(tool: string, why: string, cause: unknown): ToolError {
  return new ToolError("internal", `${tool} returned data that is not JSON: ${why}.`, {
    cause,
  });
}
