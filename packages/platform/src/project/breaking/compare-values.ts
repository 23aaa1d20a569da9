import type { JsonSchema, JsonTypeName } from "@haft/contract";
import { type BreakingChange, isSame, type SchemaPair, typesOf } from "./schema-parts.ts";

/** Compares the keywords of two schemas for types, fixed values, numbers and strings. */
export function compareValues(pair: SchemaPair): BreakingChange | undefined {
  const { before, field } = pair;
  const reason =
    findLostType(pair) ??
    findFixedValue(pair) ??
    (takes(before, "number", "integer") ? findTighterNumber(pair) : undefined) ??
    (takes(before, "string") ? findTighterText(pair) : undefined);
  return reason === undefined ? undefined : { field, reason };
}

function takes(schema: JsonSchema, ...types: readonly JsonTypeName[]): boolean {
  const known = typesOf(schema);
  return types.some((type) => known.has(type));
}

function findLostType({ before, after }: SchemaPair): string | undefined {
  const now = typesOf(after);
  const lost = [...typesOf(before)].find((type) => !now.has(type));
  return lost === undefined ? undefined : `no longer accepts the type ${lost}`;
}

function findFixedValue({ before, after }: SchemaPair): string | undefined {
  if (after.const !== undefined && !isSame(before.const, after.const)) {
    return "is now restricted to one value (const)";
  }
  if (after.enum !== undefined && !isSame(before.enum, after.enum)) {
    return "is now restricted to certain values (enum)";
  }
  return undefined;
}

function findTighterNumber({ before, after }: SchemaPair): string | undefined {
  if (!isWithin(lowest(before), lowest(after))) return "has a higher minimum";
  if (!isWithin(highest(before), highest(after))) return "has a lower maximum";
  const { multipleOf } = after;
  if (multipleOf === undefined || isMultiple(before, multipleOf)) return undefined;
  return "has a different multipleOf";
}

interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
}

function lowest(schema: JsonSchema): Bound {
  return bound(schema.minimum, schema.exclusiveMinimum, -1);
}

/** Negated, so that both bounds are compared in the same way. */
function highest(schema: JsonSchema): Bound {
  return bound(schema.maximum, schema.exclusiveMaximum, 1);
}

function bound(inclusive: unknown, exclusive: unknown, sign: 1 | -1): Bound {
  const here = typeof inclusive === "number" ? -sign * inclusive : Number.NEGATIVE_INFINITY;
  const beyond = typeof exclusive === "number" ? -sign * exclusive : Number.NEGATIVE_INFINITY;
  return beyond >= here && beyond !== Number.NEGATIVE_INFINITY
    ? { value: beyond, isExclusive: true }
    : { value: here, isExclusive: false };
}

function isWithin(before: Bound, after: Bound): boolean {
  if (after.value !== before.value) return after.value < before.value;
  return !after.isExclusive || before.isExclusive;
}

function isMultiple(before: JsonSchema, multipleOf: unknown): boolean {
  if (before.multipleOf === multipleOf) return true;
  // Floating-point remainders are not exact.
  if (!Number.isSafeInteger(multipleOf)) return false;
  if (multipleOf === 1) return !takes(before, "number");
  const { multipleOf: known } = before;
  return Number.isSafeInteger(known) && Number(known) % Number(multipleOf) === 0;
}

function findTighterText({ before, after }: SchemaPair): string | undefined {
  if (toNumber(after.minLength, 0) > toNumber(before.minLength, 0)) return "has a higher minLength";
  if (
    toNumber(after.maxLength, Number.POSITIVE_INFINITY) <
    toNumber(before.maxLength, Number.POSITIVE_INFINITY)
  ) {
    return "has a lower maxLength";
  }
  if (after.pattern !== undefined && after.pattern !== before.pattern)
    return "has a different pattern";
  if (after.format !== undefined && after.format !== before.format) return "has a different format";
  return undefined;
}

/** Returns the value if it is a number, or else the fallback. */
export function toNumber(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
