import type { JsonSchema } from "@haft/contract";
import { toNumber } from "./compare-values.ts";
import {
  type AnySchema,
  type BreakingChange,
  type Compare,
  isSame,
  type SchemaPair,
} from "./schema-parts.ts";

/** Compares what schemas say of objects. */
export function compareObjects(pair: SchemaPair, compare: Compare): BreakingChange | undefined {
  const { field } = pair;
  const [old, now] = [readObject(pair.before), readObject(pair.after)];
  const required = now.required.find((name) => !old.required.includes(name));
  if (required !== undefined) {
    const reason = Object.hasOwn(old.properties, required)
      ? "is now required"
      : "is new and required";
    return { field: join(field, required), reason };
  }
  const reason = findTighterObject(pair, old);
  if (reason !== undefined) return { field, reason };
  return (
    compareNamed({ old, now, field }, compare) ??
    comparePatterns({ old, now, field }, compare) ??
    compareNames(pair, compare)
  );
}

interface ObjectParts {
  readonly properties: Readonly<Record<string, AnySchema>>;
  readonly patterns: readonly (readonly [pattern: string, schema: AnySchema])[];
  readonly rest: AnySchema;
  /** What holds for a property of which nothing is said. */
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
    // Nobody who reads such a schema sends it: then a new property takes nothing away.
    unsaid: schema.additionalProperties ?? false,
    required: schema.required ?? [],
  };
}

/** Each property that one of them names. */
function compareNamed(pair: ObjectPair, compare: Compare): BreakingChange | undefined {
  const { old, now, field } = pair;
  const names = new Set([...Object.keys(old.properties), ...Object.keys(now.properties)]);
  for (const name of names) {
    const known = applying(old, name, old.unsaid);
    for (const schema of applying(now, name, now.rest)) {
      // Of what held before, one that is narrow enough will do.
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
    return { field: join(field, name), reason: "is not taken any more" };
  }
  return change ?? { field: join(field, name), reason: "changed" };
}

/** What holds for a property: at least one schema, all of which it has to fit. */
function applying(
  { properties, patterns }: ObjectParts,
  name: string,
  otherwise: AnySchema,
): readonly AnySchema[] {
  const found = [
    ...(Object.hasOwn(properties, name) ? [properties[name] ?? true] : []),
    ...patterns.filter(([pattern]) => new RegExp(pattern, "u").test(name)).map(([, each]) => each),
  ];
  return found.length > 0 ? found : [otherwise];
}

/** All other properties. */
function comparePatterns(
  { old, now, field }: ObjectPair,
  compare: Compare,
): BreakingChange | undefined {
  const any = join(field, "*");
  // A name that no pattern of before fits, or one of them.
  const kinds = [old.rest, ...old.patterns.map(([, schema]) => schema)];
  for (const [pattern, schema] of now.patterns) {
    const same = old.patterns.find(([each]) => each === pattern);
    const known = same === undefined ? kinds : [same[1]];
    for (const each of known) {
      const change = compare(each, schema, any);
      if (change !== undefined) return change;
    }
  }
  const lost = old.patterns.filter(([pattern]) => !now.patterns.some(([each]) => each === pattern));
  for (const each of [old.rest, ...lost.map(([, schema]) => schema)]) {
    const change = compare(each, now.rest, any);
    if (change === undefined) continue;
    return now.rest === false
      ? { field, reason: "takes no additional properties any more" }
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
  const names = typeof named === "object" ? { type: "string", ...named } : { type: "string" };
  if (named === false) return undefined;
  return compare(names as JsonSchema, after.propertyNames as AnySchema, `the names in ${field}`);
}

const equalOnly = ["dependentRequired", "dependentSchemas", "dependencies"] as const;

function findTighterObject({ before, after }: SchemaPair, old: ObjectParts): string | undefined {
  const least = Math.max(toNumber(before.minProperties, 0), new Set(old.required).size);
  if (toNumber(after.minProperties, 0) > least) return "has a higher minProperties";
  const isClosed = old.rest === false && old.patterns.length === 0;
  const count = isClosed ? Object.keys(old.properties).length : Number.POSITIVE_INFINITY;
  const most = Math.min(toNumber(before.maxProperties, Number.POSITIVE_INFINITY), count);
  if (toNumber(after.maxProperties, Number.POSITIVE_INFINITY) < most)
    return "has a lower maxProperties";
  const changed = equalOnly.find(
    (keyword) => after[keyword] !== undefined && !isSame(before[keyword], after[keyword]),
  );
  return changed === undefined ? undefined : `has another ${changed}`;
}

function join(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
