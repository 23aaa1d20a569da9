import type { JsonSchema } from "@haft/contract";
import { toNumber } from "./compare-values.ts";
import {
  type AnySchema,
  type BreakingChange,
  type Compare,
  type Comparer,
  isSame,
  type SchemaPair,
} from "./schema-parts.ts";

/** Compares the object keywords of two schemas. */
export function compareObjects(pair: SchemaPair, comparer: Comparer): BreakingChange | undefined {
  const { compare } = comparer;
  const { field } = pair;
  const [old, now] = [readObject(pair.before), readObject(pair.after)];
  const known = new Set(old.required);
  const required = now.required.find((name) => !known.has(name));
  if (required !== undefined) {
    const reason = Object.hasOwn(old.properties, required)
      ? "is now required"
      : "is new and required";
    return { field: join(field, required), reason };
  }
  const reason = findTighterObject(pair, old);
  if (reason !== undefined) return { field, reason };
  return (
    compareNamed({ old, now, field }, comparer) ??
    comparePatterns({ old, now, field }, compare) ??
    compareNames(pair, compare)
  );
}

interface ObjectParts {
  readonly properties: Readonly<Record<string, AnySchema>>;
  readonly patterns: readonly (readonly [pattern: string, schema: AnySchema])[];
  readonly rest: AnySchema;
  /** The schema of properties that the schema does not mention. */
  readonly unsaid: AnySchema;
  readonly required: readonly string[];
}

interface ObjectPair {
  readonly old: ObjectParts;
  readonly now: ObjectParts;
  readonly field: string;
}

function readObject(schema: JsonSchema): ObjectParts {
  return {
    properties: schema.properties ?? {},
    patterns: Object.entries((schema.patternProperties ?? {}) as Record<string, AnySchema>),
    rest: schema.additionalProperties ?? true,
    // Callers don't send properties that the schema never mentioned, so adding one breaks nothing.
    unsaid: schema.additionalProperties ?? false,
    required: schema.required ?? [],
  };
}

/** Compares each property that one of the schemas names. */
function compareNamed(pair: ObjectPair, comparer: Comparer): BreakingChange | undefined {
  const { compare, matches } = comparer;
  const { old, now, field } = pair;
  const names = new Set([...Object.keys(old.properties), ...Object.keys(now.properties)]);
  for (const name of names) {
    const known = applying({ ...old, rest: old.unsaid }, name, matches);
    for (const schema of applying(now, name, matches)) {
      // All of the earlier schemas applied, so one that is narrow enough suffices.
      const changes = known.map((each) => compare(each, schema, join(field, name)));
      if (!changes.includes(undefined)) return tellNamed(pair, name, changes[0]);
    }
  }
  return undefined;
}

function tellNamed(
  { old, now, field }: ObjectPair,
  name: string,
  change: BreakingChange | undefined,
): BreakingChange {
  const isGone = Object.hasOwn(old.properties, name) && !Object.hasOwn(now.properties, name);
  if (isGone && now.rest === false) {
    return { field: join(field, name), reason: "is no longer accepted" };
  }
  return change ?? { field: join(field, name), reason: "changed" };
}

/**
 * Returns the schemas that apply to a property: at least one. The property must match all of them.
 */
function applying(
  { properties, patterns, rest }: ObjectParts,
  name: string,
  matches: Comparer["matches"],
): readonly AnySchema[] {
  const found = [
    ...(Object.hasOwn(properties, name) ? [properties[name] ?? true] : []),
    ...patterns.filter(([pattern]) => matches(pattern, name)).map(([, each]) => each),
  ];
  return found.length > 0 ? found : [rest];
}

/** Compares all other properties. */
function comparePatterns(
  { old, now, field }: ObjectPair,
  compare: Compare,
): BreakingChange | undefined {
  const any = join(field, "*");
  // The schemas for a name that matches no earlier pattern, and for one that matches.
  const kinds = [old.rest, ...old.patterns.map(([, schema]) => schema)];
  const [before, after] = [new Map(old.patterns), new Map(now.patterns)];
  for (const [pattern, schema] of now.patterns) {
    const same = before.get(pattern);
    const known = same === undefined ? kinds : [same];
    for (const each of known) {
      const change = compare(each, schema, any);
      if (change !== undefined) return change;
    }
  }
  const lost = old.patterns.filter(([pattern]) => !after.has(pattern));
  for (const each of [old.rest, ...lost.map(([, schema]) => schema)]) {
    const change = compare(each, now.rest, any);
    if (change === undefined) continue;
    return now.rest === false
      ? { field, reason: "no longer accepts additional properties" }
      : change;
  }
  return undefined;
}

function compareNames(
  { before, after, field }: SchemaPair,
  compare: Compare,
): BreakingChange | undefined {
  if (after.propertyNames === undefined) return undefined;
  const named = before.propertyNames ?? true;
  if (named === false) return undefined;
  const names = typeof named === "object" ? toTextSchema(named as JsonSchema) : toTextSchema({});
  return compare(names, after.propertyNames as AnySchema, `the names in ${field}`);
}

// Names are strings. An enum or const of names is tried value by value.
function toTextSchema(schema: JsonSchema): JsonSchema {
  return "enum" in schema || "const" in schema ? schema : { type: "string", ...schema };
}

const equalOnly = ["dependentRequired", "dependentSchemas", "dependencies"] as const;

function findTighterObject({ before, after }: SchemaPair, old: ObjectParts): string | undefined {
  const minBefore = Math.max(toNumber(before.minProperties, 0), new Set(old.required).size);
  if (toNumber(after.minProperties, 0) > minBefore) return "has a higher minProperties";
  const isClosed = old.rest === false && old.patterns.length === 0;
  const count = isClosed ? Object.keys(old.properties).length : Number.POSITIVE_INFINITY;
  const maxBefore = Math.min(toNumber(before.maxProperties, Number.POSITIVE_INFINITY), count);
  if (toNumber(after.maxProperties, Number.POSITIVE_INFINITY) < maxBefore)
    return "has a lower maxProperties";
  const changed = equalOnly.find(
    (keyword) => after[keyword] !== undefined && !isSame(before[keyword], after[keyword]),
  );
  return changed === undefined ? undefined : `has a different ${changed}`;
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
