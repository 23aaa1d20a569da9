import type { JsonSchema } from "@haft/contract";
import { compiled } from "./schema-check.ts";
import {
  type CompiledSchema,
  compileSchema,
  type SchemaMeter,
} from "./validator/compile-schema.ts";
import { SchemaEffortError } from "./validator/schema-run.ts";

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
export function repair(schema: JsonSchema, value: unknown): Repaired {
  const repairs: string[] = [];
  const meter = { left: maxSteps };
  const context: RepairContext = { field: "", repairs, whole: compiled(schema), meter };
  try {
    return { value: repairValue(schema, value, context), repairs };
  } catch (error) {
    // What would take too long stays as it is.
    if (error instanceof SchemaEffortError) return { value, repairs: [] };
    throw error;
  }
}

const maxSteps = 1_000_000;
const stepsPerValue = 10;
const stepsToCompile = 50_000;

interface RepairContext {
  readonly field: string;
  readonly repairs: string[];
  readonly whole: CompiledSchema;
  readonly meter: SchemaMeter;
}

function repairValue(schema: JsonSchema, value: unknown, context: RepairContext): unknown {
  spend(context, stepsPerValue);
  const types = [schema.type ?? []].flat();
  // Several types are several readings, like the branches of a union.
  const byType = types.length > 1 ? types.map((type) => ({ ...schema, type })) : undefined;
  const branches = byType ?? schema.anyOf ?? schema.oneOf;
  const read = types.length === 1 ? repairTyped(schema, value, context) : value;
  return branches === undefined ? read : repairUnion({ schema, branches }, read, context);
}

function repairTyped(schema: JsonSchema, value: unknown, context: RepairContext): unknown {
  const type = String(schema.type);
  if (typeof value === "string") spend(context, value.length >> 3);
  const read = typeof value === "string" ? readText(type, value) : readNumber(type, value);
  if (read !== undefined) {
    context.repairs.push(`${context.field || "arguments"}: read ${typeof value} as ${type}`);
  }
  return repairInside(schema, read === undefined ? value : read.value, context);
}

function repairInside(schema: JsonSchema, value: unknown, context: RepairContext): unknown {
  if (Array.isArray(value)) return repairItems(schema, value, context);
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  const repaired: Record<string, unknown> = { ...value };
  const names = Object.keys(value);
  spend(context, names.length);
  for (const name of names) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) continue;
    const field = context.field === "" ? name : `${context.field}.${name}`;
    if (repaired[name] === null && isUnwanted(property, { schema, name }, context)) {
      delete repaired[name];
      context.repairs.push(`${field}: read null as absent`);
    } else {
      repaired[name] = repairValue(property, repaired[name], { ...context, field });
    }
  }
  return repaired;
}

/** Whether null stands for a property that may be left out. */
function isUnwanted(
  property: JsonSchema,
  { schema: { required = [] }, name }: { readonly schema: JsonSchema; readonly name: string },
  context: RepairContext,
): boolean {
  spend(context, required.length);
  return !required.includes(name) && fitsPart(property, null, context) === false;
}

function repairItems(
  schema: JsonSchema,
  value: readonly unknown[],
  context: RepairContext,
): unknown[] {
  const repaired: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const own = schema.prefixItems?.[index] ?? schema.items;
    const field = `${context.field}[${index}]`;
    repaired.push(typeof own === "object" ? repairValue(own, item, { ...context, field }) : item);
  }
  return repaired;
}

function repairUnion(
  { schema, branches }: { readonly schema: JsonSchema; readonly branches: readonly JsonSchema[] },
  value: unknown,
  context: RepairContext,
): unknown {
  if (fitsPart(schema, value, context) !== false) return value;
  const readings = new Map<string, { value: unknown; repairs: string[] }>();
  for (const branch of branches) {
    const repairs: string[] = [];
    // A branch that names no type has that of the schema it belongs to.
    const typed = schema.type === undefined ? branch : { type: schema.type, ...branch };
    const reading = repairValue(typed, value, { ...context, repairs });
    if (repairs.length > 0 && fitsPart(schema, reading, context)) {
      readings.set(JSON.stringify(reading), { value: reading, repairs });
    }
  }
  const [only] = readings.values();
  if (only === undefined || readings.size > 1) return value;
  context.repairs.push(...only.repairs);
  return only.value;
}

/** Whether a value fits a part of the schema; `undefined` if that can't be told. */
function fitsPart(schema: JsonSchema, value: unknown, context: RepairContext): boolean | undefined {
  try {
    return findPart(schema, context).accepts(value, context.meter);
  } catch (error) {
    if (error instanceof SchemaEffortError) throw error;
    return undefined;
  }
}

// What was put together here is no part of the schema, and may refer to what only the whole defines.
function findPart(schema: JsonSchema, context: RepairContext): CompiledSchema {
  const part = context.whole.part(schema);
  if (part !== undefined) return part;
  spend(context, stepsToCompile);
  return compileSchema(schema);
}

function spend({ meter }: RepairContext, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new SchemaEffortError("repairing the value takes too many steps");
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
