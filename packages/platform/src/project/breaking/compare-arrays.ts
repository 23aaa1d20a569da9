import { toNumber } from "./compare-values.ts";
import {
  type AnySchema,
  type BreakingChange,
  type Comparer,
  isSame,
  type SchemaPair,
} from "./schema-parts.ts";

/** Compares the array keywords of two schemas. */
export function compareArrays(
  pair: SchemaPair,
  { compare }: Pick<Comparer, "compare">,
): BreakingChange | undefined {
  const { before, after, field } = pair;
  const reason = findTighterList(pair);
  if (reason !== undefined) return { field, reason };
  const [old, now] = [before, after].map((schema) => ({
    first: (schema.prefixItems ?? []) as readonly AnySchema[],
    rest: (schema.items ?? true) as AnySchema,
  }));
  if (old === undefined || now === undefined) return undefined;
  const count = Math.max(old.first.length, now.first.length);
  for (let index = 0; index < count; index += 1) {
    const change = compare(
      old.first[index] ?? old.rest,
      now.first[index] ?? now.rest,
      `${field}[${index}]`,
    );
    if (change !== undefined) return change;
  }
  return compare(old.rest, now.rest, `${field}[]`);
}

// With `prefixItems` the validator skips `contains` for an empty list, so these are compared
// together.
const equalOnly = ["contains", "minContains", "maxContains", "prefixItems"] as const;

function findTighterList({ before, after }: SchemaPair): string | undefined {
  if (toNumber(after.minItems, 0) > toNumber(before.minItems, 0)) return "has a higher minItems";
  if (
    toNumber(after.maxItems, Number.POSITIVE_INFINITY) <
    toNumber(before.maxItems, Number.POSITIVE_INFINITY)
  ) {
    return "has a lower maxItems";
  }
  if (after.uniqueItems === true && before.uniqueItems !== true) {
    return "no longer accepts duplicate items";
  }
  if (after.contains !== undefined) {
    const changed = equalOnly.find((keyword) => !isSame(before[keyword], after[keyword]));
    if (changed !== undefined) return `has a different ${changed}`;
  }
  return undefined;
}
