import { type JsonValue, ToolError } from "@haft/contract";
import { messageOf } from "../message-of.ts";

const deepest = 256;

/**
 * An upper bound of the bytes that data takes as JSON, found without writing it; `undefined` if
 * the data is not plain JSON yet.
 */
export function boundJsonSize(data: unknown, depth = 0): number | undefined {
  switch (typeof data) {
    case "string":
      // A unit takes at most six bytes: the escape of a control character.
      return data.length * 6 + 2;
    case "number":
      // The longest is a small fraction: a sign, five zeros after the point and seventeen digits.
      return Number.isFinite(data) ? 25 : undefined;
    case "boolean":
      return 5;
    case "object":
      return data === null ? 4 : boundObjectSize(data, depth);
    default:
      return undefined;
  }
}

/** Makes data what it will be after a trip through JSON, or says that it can't make the trip. */
export function toJson(data: unknown, tool: string): JsonValue {
  if (data === undefined) return null;
  try {
    const text = JSON.stringify(data);
    if (text !== undefined) return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw notJson(tool, messageOf(error), error);
  }
  throw notJson(tool, `it is a ${typeof data}`, undefined);
}

function boundObjectSize(data: object, depth: number): number | undefined {
  if (depth > deepest) return undefined;
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
  return new ToolError("internal", `${tool} returned something that is not JSON: ${why}.`, {
    cause,
  });
}
