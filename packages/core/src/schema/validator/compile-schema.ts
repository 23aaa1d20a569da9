import type { JsonSchema } from "@haft/contract";
import type { SchemaFormats } from "./keyword.ts";
import { SchemaDocument } from "./schema-document.ts";
import { evaluate, type SchemaNode } from "./schema-node.ts";
import { SchemaEffortError, SchemaRun, type SchemaViolation } from "./schema-run.ts";

/** Steps that several checks may take together. */
export interface SchemaMeter {
  left: number;
}

/** A schema, ready to check values. */
export interface CompiledSchema {
  /**
   * Whether a value fits. Throws a `SchemaEffortError` if that takes more steps than the value's size
   * allows or the meter has left, and a `RangeError` for a value that is nested too deeply.
   */
  accepts(value: unknown, meter?: SchemaMeter): boolean;
  /** Finds what is wrong with a value, up to a hundred violations. Throws as `accepts` does. */
  explain(value: unknown): readonly SchemaViolation[];
  /** A part of this schema, found by identity; `undefined` for what is not one of its schemas. */
  part(schema: JsonSchema): CompiledSchema | undefined;
}

/** How a schema is compiled. */
export interface SchemaOptions {
  /** Formats that are checked. The others only describe. Default: none. */
  readonly formats?: SchemaFormats;
}

/** Steps that any value may take. A step is about ten nanoseconds. */
const minSteps = 250_000;
/** Steps that a large value may take for each of its characters, by how many come before it. */
const stepsPerCharacter: readonly (readonly [from: number, steps: number])[] = [
  [0, 32],
  [250_000, 12],
  [1_000_000, 4],
];

/**
 * Compiles a JSON Schema of draft 2020-12 from any source. Neither compiling nor checking takes longer than
 * its input is large, times a constant. Throws an `Error` that names the keyword for a schema that is
 * malformed or needs more.
 *
 * @example
 * const schema = compileSchema({ type: "object", required: ["name"] });
 * schema.accepts({ name: "Ada" }); // true
 * schema.explain({})[0]?.message; // "must have required property 'name'"
 */
export function compileSchema(schema: JsonSchema, options: SchemaOptions = {}): CompiledSchema {
  const document = new SchemaDocument(schema, options.formats ?? {});
  return toCompiled(document, document.root);
}

function toCompiled(document: SchemaDocument, node: SchemaNode): CompiledSchema {
  return {
    accepts: (value, meter) =>
      meter === undefined ? run(node, value) : runMetered(node, value, meter),
    explain(value) {
      const violations: SchemaViolation[] = [];
      try {
        run(node, value, violations);
      } catch (error) {
        // What was found before is enough to go on with.
        if (violations.length === 0) throw error;
      }
      return violations;
    },
    part(schema) {
      const found = document.find(schema);
      return found === undefined ? undefined : toCompiled(document, found);
    },
  };
}

function run(node: SchemaNode, value: unknown, violations?: SchemaViolation[]): boolean {
  try {
    if (violations !== undefined) return evaluate(node, value, new SchemaRun(minSteps, violations));
    return runShared(node, value);
  } catch (error) {
    if (!(error instanceof SchemaEffortError)) throw error;
    // Few values are so large, so that only those are measured.
    const steps = minSteps + maxStepsOf(measure(value));
    if (steps < 2 * minSteps) throw error;
    if (violations !== undefined) violations.length = 0;
    return evaluate(node, value, new SchemaRun(steps, violations));
  }
}

const shared = new SchemaRun(0);
let isShared = false;

/** Most checks come one after another, so that one run serves them all. */
function runShared(node: SchemaNode, value: unknown): boolean {
  // A format may check something itself.
  if (isShared) return evaluate(node, value, new SchemaRun(minSteps));
  isShared = true;
  try {
    return evaluate(node, value, shared.reset(minSteps));
  } finally {
    isShared = false;
    // Keeps nothing of the value.
    shared.reset(0);
  }
}

function runMetered(node: SchemaNode, value: unknown, meter: SchemaMeter): boolean {
  const run = new SchemaRun(meter.left);
  try {
    return evaluate(node, value, run);
  } finally {
    meter.left = run.left;
  }
}

function maxStepsOf(size: number): number {
  return stepsPerCharacter.reduce((sum, [from, steps], index) => {
    const [to] = stepsPerCharacter[index + 1] ?? [Number.POSITIVE_INFINITY];
    return sum + steps * Math.max(0, Math.min(size, to) - from);
  }, 0);
}

/** About as many characters as the value has written as JSON. */
function measure(value: unknown): number {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0) {
    const one = waiting.pop();
    size += 2;
    if (typeof one === "string") size += one.length;
    else if (Array.isArray(one)) for (const item of one) waiting.push(item);
    else if (typeof one === "object" && one !== null) {
      for (const [name, item] of Object.entries(one)) {
        size += name.length + 3;
        waiting.push(item);
      }
    }
  }
  return size;
}
