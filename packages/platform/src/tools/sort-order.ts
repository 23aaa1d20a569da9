import { clipText } from "@haft/contract/internal";
import { InvalidRequest } from "../problem.ts";

/** By what to sort, and which way. */
export interface SortOrder<Field extends string> {
  readonly field: Field;
  readonly direction: "asc" | "desc";
}

/**
 * Understands `+field` and `-field`; a plus that was decoded as a space, or left out, is a plus. Of a
 * field that comes twice the first counts. Throws an `InvalidRequest` that names the known fields.
 */
export function toSortOrders<Field extends string>(
  texts: readonly string[],
  fields: readonly Field[],
): readonly SortOrder<Field>[] {
  const orders = new Map<Field, SortOrder<Field>>();
  for (const text of texts) {
    const name = text.replace(/^[-+ ]/, "");
    const field = fields.find((each) => each === name);
    if (field === undefined) throw unknownField(text, fields);
    const direction = text.startsWith("-") ? "desc" : "asc";
    if (!orders.has(field)) orders.set(field, { field, direction });
  }
  return [...orders.values()];
}

function unknownField(text: string, fields: readonly string[]): InvalidRequest {
  const shown = JSON.stringify(clipText(text, 41));
  const msg = `Can't sort by ${shown}. Write + or - and one of: ${fields.join(", ")}.`;
  return new InvalidRequest([{ loc: ["query", "sort_by"], msg, type: "value_error" }]);
}
