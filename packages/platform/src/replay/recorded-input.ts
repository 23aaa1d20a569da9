import { isPlainObject } from "@haft/contract/internal";
import type { StoredInvocation } from "../history/list-invocations.ts";
import type { JsonObject } from "../json.ts";
import { type JsonPath, setAt } from "../json-path.ts";
import { Problem } from "../problem.ts";
import { maskText } from "../runner/mask-values.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";

/** A value to put into an input, and where. */
export interface InputChange {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** How to read an input. */
export interface InputOptions {
  readonly changes?: readonly InputChange[];
  /** Whether user variables and a conversation, which history does not keep, may be missing. */
  readonly allowsMissing?: boolean;
}

/** Returns the input of a recorded invocation. Throws a `Problem` 400 if it can't be used again. */
export function readRecordedInput(
  row: Pick<StoredInvocation, "inputs" | "unrecorded">,
  { changes = [], allowsMissing = false }: InputOptions = {},
): JsonObject {
  const recorded = readStoredJsonOr<JsonObject | undefined>(row.inputs, undefined, isPlainObject);
  if (recorded === undefined) {
    throw new Problem(400, "Its input is damaged in the server's database.");
  }
  if (row.unrecorded !== null && !allowsMissing) {
    throw new Problem(400, `It was invoked with ${row.unrecorded}, which history does not keep.`);
  }
  const input = changes.reduce<unknown>(
    (value, change) => setAt(value, change.path, change.value),
    recorded,
  );
  const masked = findMasked(input);
  if (masked !== undefined) {
    throw new Problem(
      400,
      `Its input has a secret at ${masked}, which history masks. Set another value there.`,
    );
  }
  return input as JsonObject;
}

/** Returns the path of a masked text. */
function findMasked(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return value.includes(maskText) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const inner = `${path}${path === "" ? "" : "."}${name}`;
    const found = name.includes(maskText) ? inner : findMasked(each, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
