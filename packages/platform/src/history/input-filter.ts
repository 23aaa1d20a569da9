import { isPlainObject } from "@haft/contract/internal";
import { parseJsonPath, readAt } from "../json-path.ts";
import { InvalidRequest } from "../problem.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import type { StoredInvocation } from "./list-invocations.ts";

/**
 * Creates a filter from texts such as `customer.id=7`; `undefined` if there are none. It compares
 * here and not in the database, because PostgreSQL can't read every JSON that history has.
 */
export function toInputFilter(
  texts: readonly string[],
): ((row: Pick<StoredInvocation, "inputs">) => boolean) | undefined {
  if (texts.length === 0) return undefined;
  const wanted = texts.map((text) => {
    const at = text.indexOf("=");
    if (at > 0) return { path: parseJsonPath(text.slice(0, at)), value: text.slice(at + 1) };
    const msg = "Write a path, =, and the value, such as customer.id=7.";
    throw new InvalidRequest([{ loc: ["query", "input"], msg, type: "value_error" }]);
  });
  return ({ inputs }) => {
    const input = readStoredJsonOr<unknown>(inputs, undefined, isPlainObject);
    return wanted.every(({ path, value }) => {
      const found = readAt(input, path);
      return (typeof found === "string" ? found : JSON.stringify(found)) === value;
    });
  };
}
