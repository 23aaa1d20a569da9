import type { JsonSchema, ObjectSchema } from "@haft/contract";
import { inferTypes, listedValues } from "./infer-types.ts";
import type { WireSchema } from "./plain-schema.ts";

/** The rules of a provider's strict form. */
export interface StrictRules {
  /** Whether every property must be required. Optional ones then become nullable. */
  readonly allRequired: boolean;
  /** Tells whether a bound such as `minimum` is supported. The session checks the others. */
  keeps(keyword: string, value: unknown): boolean;
  /** Limits of one schema. */
  readonly limits?: Partial<StrictTally>;
}

/** The counts that providers limit. */
export interface StrictTally {
  properties: number;
  optional: number;
  unions: number;
  listed: number;
  /** Characters in names and listed values. */
  characters: number;
  depth: number;
}

/** A schema in a provider's strict form. */
export interface StrictSchema {
  readonly schema: WireSchema;
  readonly tally: Readonly<StrictTally>;
}

/** Converts a schema to a provider's strict form. `undefined` if that form can't express it. */
export function toStrictSchema(schema: ObjectSchema, rules: StrictRules): StrictSchema | undefined {
  const tally = { properties: 0, optional: 0, unions: 0, listed: 0, characters: 0, depth: 0 };
  const made = convert(schema, { rules, tally, depth: 1 });
  if (made?.type !== "object") return undefined;
  const limits = Object.entries(rules.limits ?? {}) as [keyof StrictTally, number][];
  if (limits.some(([name, max]) => tally[name] > max)) return undefined;
  return { schema: made as WireSchema, tally };
}

interface Conversion {
  readonly rules: StrictRules;
  readonly tally: StrictTally;
  readonly depth: number;
}

type Made = Record<string, unknown>;

// References could be resolved, but a null inside one could not be converted back.
const unsupported = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "prefixItems",
];

function convert(schema: unknown, place: Conversion): Made | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (unsupported.some((keyword) => keyword in schema)) return undefined;
  const own = schema as JsonSchema;
  const described = own.description === undefined ? {} : { description: own.description };
  const branches = own.anyOf ?? own.oneOf;
  if (branches !== undefined) {
    if (own.properties !== undefined || own.items !== undefined) return undefined;
    const anyOf = convertAll(branches, place);
    place.tally.unions++;
    return anyOf && { ...described, anyOf };
  }
  const types = inferTypes(own);
  if (types.length === 0) return undefined;
  if (types.length > 1) place.tally.unions++;
  const made = { ...described, type: types.length === 1 ? types[0] : types };
  const values = listedValues(own);
  return values === undefined ? convertTyped(own, made, place) : listValues(values, made, place);
}

function convertAll(schemas: readonly unknown[], place: Conversion): Made[] | undefined {
  const made = schemas.map((schema) => convert(schema, place));
  return made.every((one) => one !== undefined) ? made : undefined;
}

function listValues(
  values: readonly unknown[],
  made: Made,
  { tally }: Conversion,
): Made | undefined {
  if (values.some((value) => typeof value === "object" && value !== null)) return undefined;
  tally.listed += values.length;
  for (const value of values) tally.characters += String(value).length;
  return { ...made, enum: [...values] };
}

function convertTyped(schema: JsonSchema, made: Made, place: Conversion): Made | undefined {
  const types = [made.type].flat();
  const { rules, tally } = place;
  for (const [keyword, value] of Object.entries(schema)) {
    if (rules.keeps(keyword, value)) made[keyword] = value;
  }
  const inner = { ...place, depth: place.depth + 1 };
  if (types.includes("object") || types.includes("array")) {
    tally.depth = Math.max(tally.depth, place.depth);
  }
  if (types.includes("array")) {
    const items = convert(schema.items, inner);
    if (items === undefined) return undefined;
    made.items = items;
  }
  return types.includes("object") ? convertObject(schema, made, inner) : made;
}

function convertObject(schema: JsonSchema, made: Made, place: Conversion): Made | undefined {
  const { additionalProperties: others, required = [] } = schema;
  const entries = Object.entries(schema.properties ?? {});
  // Closing an object that is meant to be open would defeat its purpose.
  const isOpen = others === undefined ? entries.length === 0 : others !== false;
  if (isOpen) return undefined;
  const properties: Made = {};
  for (const [name, property] of entries) {
    const converted = convert(property, place);
    if (converted === undefined) return undefined;
    const isRequired = required.includes(name);
    if (!isRequired) place.tally.optional++;
    place.tally.properties++;
    place.tally.characters += name.length;
    properties[name] = isRequired || !place.rules.allRequired ? converted : orNull(converted);
  }
  const names = place.rules.allRequired ? Object.keys(properties) : [...required];
  return { ...made, properties, required: names, additionalProperties: false };
}

function orNull(schema: Made): Made {
  if (Array.isArray(schema.anyOf)) {
    const hasNull = schema.anyOf.some((branch: Made) => [branch.type].flat().includes("null"));
    return hasNull ? schema : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  }
  const types = [schema.type].flat();
  if (types.includes("null")) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [...types, "null"], ...values };
}
