import type { JsonSchema } from "@haft/contract";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { accepts } from "./accept.ts";
import { describeViolations } from "./describe-violations.ts";

/** What is known of one schema; shared by all that are equal. */
interface Entry {
  readonly schema: JsonSchema;
  /** How often the cheap acceptance has answered so far. */
  accepted: number;
  validate: ValidateFunction | undefined;
  fault: Error | undefined;
}

// Acceptance is interpreted; past this many uses the compiled validator has paid for itself.
const usesBeforeCompiling = 64;

const bySchema = new WeakMap<JsonSchema, Entry>();
const byText = new Map<string, Entry>();
let compiler: Ajv2020 | undefined;

/**
 * Whether a value fits a schema. The answer is a promise only while the schema compiler is being
 * loaded. A schema that does not compile throws.
 */
export function fits(schema: JsonSchema, value: unknown): boolean | Promise<boolean> {
  const entry = bySchema.get(schema) ?? findEntry(schema);
  if (entry.validate !== undefined) return entry.validate(value);
  if (entry.accepted < usesBeforeCompiling && acceptsNow(entry, value)) return true;
  if (compiler !== undefined) return compile(entry, compiler)(value);
  return loadCompiler().then((loaded) => compile(entry, loaded)(value));
}

/**
 * Whether a value is known to fit without anything being loaded. `false` may also mean that only
 * the compiler can tell.
 */
export function certainlyFits(schema: JsonSchema, value: unknown): boolean {
  const entry = bySchema.get(schema) ?? findEntry(schema);
  if (entry.validate !== undefined) return entry.validate(value) === true;
  return entry.accepted < usesBeforeCompiling && acceptsNow(entry, value);
}

/** The ways in which a value that did not fit violates its schema, as sentences. */
export async function violations(schema: JsonSchema, value: unknown): Promise<string[]> {
  const validate = compile(bySchema.get(schema) ?? findEntry(schema), await loadCompiler());
  if (validate(value)) return [];
  return describeViolations(schema, value, validate.errors as ErrorObject[]);
}

function acceptsNow(entry: Entry, value: unknown): boolean {
  if (!accepts(entry.schema, value)) return false;
  entry.accepted++;
  return true;
}

function findEntry(schema: JsonSchema): Entry {
  const text = JSON.stringify(schema);
  let entry = byText.get(text);
  if (entry === undefined) {
    entry = { schema, accepted: 0, validate: undefined, fault: undefined };
    byText.set(text, entry);
  }
  bySchema.set(schema, entry);
  return entry;
}

function compile(entry: Entry, ajv: Ajv2020): ValidateFunction {
  if (entry.validate !== undefined) return entry.validate;
  if (entry.fault !== undefined) throw entry.fault;
  try {
    entry.validate = ajv.compile(entry.schema);
    return entry.validate;
  } catch (error) {
    entry.fault = error as Error;
    throw error;
  } finally {
    // Schemas of different tools may carry the same `$id`, which the compiler knows only once.
    ajv.removeSchema(entry.schema);
  }
}

async function loadCompiler(): Promise<Ajv2020> {
  if (compiler === undefined) {
    const module = await import("ajv/dist/2020.js");
    compiler ??= new module.Ajv2020({
      allErrors: true,
      // Formats are annotations in draft 2020-12; keywords of other vocabularies are not ours to judge.
      strict: false,
      validateFormats: false,
      strictNumbers: true,
      // `constructor` is a parameter's name like any other: absent unless it was sent.
      ownProperties: true,
    });
  }
  return compiler;
}
