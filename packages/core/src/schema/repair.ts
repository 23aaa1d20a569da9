import type { JsonSchema } from "@haft/contract";
import { fits } from "./schema-check.ts";

/** A value after repair, and what was done to it. */
export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly string[];
}

/**
 * Undoes what models really do to arguments: JSON text where an object or array belongs, `"5"` for
 * a number, `"true"` for a boolean, `null` for something left out. Only a reading that is the sole
 * one its schema allows is taken; whatever else is wrong stays wrong, for validation to name.
 */
export async function repair(schema: JsonSchema, value: unknown): Promise<Repaired> {
  const repairs: string[] = [];
  return { value: await repairValue(schema, value, { field: "", repairs }), repairs };
}

interface Place {
  readonly field: string;
  readonly repairs: string[];
}

async function repairValue(schema: JsonSchema, value: unknown, place: Place): Promise<unknown> {
  const types = [schema.type ?? []].flat();
  // Several types are several readings, like the branches of a union.
  const byType = types.length > 1 ? types.map((type) => ({ ...schema, type })) : undefined;
  const branches = byType ?? schema.anyOf ?? schema.oneOf;
  const read = types.length === 1 ? await repairTyped(schema, value, place) : value;
  return branches === undefined ? read : repairUnion({ schema, branches }, read, place);
}

async function repairTyped(schema: JsonSchema, value: unknown, place: Place): Promise<unknown> {
  const type = String(schema.type);
  const read = typeof value === "string" ? readText(type, value) : readNumber(type, value);
  if (read !== undefined) {
    place.repairs.push(`${place.field || "arguments"}: read ${typeof value} as ${type}`);
  }
  return repairInside(schema, read === undefined ? value : read.value, place);
}

async function repairInside(schema: JsonSchema, value: unknown, place: Place): Promise<unknown> {
  if (Array.isArray(value)) return repairItems(schema, value, place);
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  const repaired: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(repaired, name)) continue;
    const field = place.field === "" ? name : `${place.field}.${name}`;
    const optional = !schema.required?.includes(name);
    if (repaired[name] === null && optional && (await fitsAlone(property, null)) === false) {
      delete repaired[name];
      place.repairs.push(`${field}: read null as absent`);
    } else {
      repaired[name] = await repairValue(property, repaired[name], { ...place, field });
    }
  }
  return repaired;
}

async function repairItems(
  schema: JsonSchema,
  value: readonly unknown[],
  place: Place,
): Promise<unknown[]> {
  const repaired: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const own = schema.prefixItems?.[index] ?? schema.items;
    const field = `${place.field}[${index}]`;
    repaired.push(
      typeof own === "object" ? await repairValue(own, item, { ...place, field }) : item,
    );
  }
  return repaired;
}

async function repairUnion(
  { schema, branches }: { readonly schema: JsonSchema; readonly branches: readonly JsonSchema[] },
  value: unknown,
  place: Place,
): Promise<unknown> {
  if ((await fitsAlone(schema, value)) !== false) return value;
  const readings = new Map<string, { value: unknown; repairs: string[] }>();
  for (const branch of branches) {
    const repairs: string[] = [];
    // A branch that names no type has that of the schema it belongs to.
    const typed = schema.type === undefined ? branch : { type: schema.type, ...branch };
    const reading = await repairValue(typed, value, { ...place, repairs });
    if (repairs.length > 0 && (await fitsAlone(schema, reading))) {
      readings.set(JSON.stringify(reading), { value: reading, repairs });
    }
  }
  const [only] = readings.values();
  if (only === undefined || readings.size > 1) return value;
  place.repairs.push(...only.repairs);
  return only.value;
}

// A part of a schema may refer to what only the whole defines; then it can't be judged alone.
async function fitsAlone(schema: JsonSchema, value: unknown): Promise<boolean | undefined> {
  try {
    return await fits(schema, value);
  } catch {
    return undefined;
  }
}

function readText(type: string, text: string): { value: unknown } | undefined {
  switch (type) {
    case "number":
    case "integer": {
      const number = Number(text);
      const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/u.test(text.trim());
      // Past what a number can count exactly, the text was another number.
      return isNumber && Math.abs(number) <= Number.MAX_SAFE_INTEGER
        ? { value: number }
        : undefined;
    }
    case "boolean":
      return /^(true|false)$/iu.test(text) ? { value: text.toLowerCase() === "true" } : undefined;
    case "object":
    case "array": {
      const parsed = parse(text);
      const isArray = Array.isArray(parsed);
      const isObject = typeof parsed === "object" && parsed !== null && !isArray;
      return (type === "array" ? isArray : isObject) ? { value: parsed } : undefined;
    }
    default:
      return undefined;
  }
}

// An integer has one spelling as text; a fraction may have lost digits on its way through JSON.
function readNumber(type: string, value: unknown): { value: unknown } | undefined {
  return type === "string" && Number.isSafeInteger(value) ? { value: String(value) } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
