import type { JsonSchema } from "@haft/contract";
import { EvaluatedScope, type SchemaRun } from "./schema-run.ts";
import { anyType, type TypeBits, typeBit, typeBitsOf } from "./type-bits.ts";

/** Whether a value passes one keyword. */
export type Check = (value: unknown, run: SchemaRun) => boolean;

/** The kinds of values that keywords speak of; `other` are booleans and null. */
export const valueKinds = ["number", "string", "array", "object", "other"] as const;

/** A kind of values. */
export type ValueKind = (typeof valueKinds)[number];

/** A schema, or a part of one, ready to be applied. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** Such as `#/properties/a`. */
  readonly pointer: string;
  /** The types that it takes. */
  types: TypeBits;
  /** Notes that a value is of another type. */
  failType(run: SchemaRun): false;
  /** All checks of a value, by its kind. */
  readonly checks: Readonly<Record<ValueKind, Check[]>>;
  hasChecks: boolean;
  /** The steps that it takes by itself. */
  cost: number;
  /** Judges what nothing else has looked at, so it comes last. */
  readonly unevaluated: Check[];
  /** Schemas that apply to the same value, such as those of `allOf`. */
  readonly inPlace: SchemaNode[];
  /** Schemas of parts of the value. Of these, one applies to each part. */
  readonly exclusive: SchemaNode[];
  /** Schemas of parts of the value that apply to a part beside others. */
  readonly additional: SchemaNode[];
}

/** Makes the node of a schema, which checks nothing yet. */
export function createNode(schema: JsonSchema, pointer: string): SchemaNode {
  return {
    schema,
    pointer,
    types: anyType,
    failType: () => false,
    checks: { number: [], string: [], array: [], object: [], other: [] },
    hasChecks: false,
    cost: stepsPerCheck,
    unevaluated: [],
    inPlace: [],
    exclusive: [],
    additional: [],
  };
}

/** What a check costs at least. */
export const stepsPerCheck = 2;

/** Applies a schema to a value. */
export function evaluate(node: SchemaNode, value: unknown, run: SchemaRun): boolean {
  run.spend(node.cost, node.pointer);
  const bits = typeBitsOf(value);
  if (node.types !== anyType && (node.types & bits) === 0) return node.failType(run);
  if (!node.hasChecks) return true;
  if (node.unevaluated.length > 0) return evaluateTracked(node, value, run);
  return runAll(checksFor(node, bits), value, run);
}

/** Applies a schema to the value at hand on behalf of another one, such as a branch of `anyOf`. */
export function evaluateInPlace(node: SchemaNode, value: unknown, run: SchemaRun): boolean {
  const outer = run.scope;
  if (outer === undefined) return evaluate(node, value, run);
  const inner = new EvaluatedScope();
  run.scope = inner;
  const passes = evaluate(node, value, run);
  run.scope = outer;
  if (passes) {
    run.spend(inner.properties.size + inner.items.size, node.pointer);
    outer.add(inner);
  }
  return passes;
}

/** Applies a schema to the part of the value at hand that `run.key` names. */
export function evaluatePart(node: SchemaNode, part: unknown, run: SchemaRun): boolean {
  if (run.scope === undefined && run.violations === undefined) return evaluate(node, part, run);
  const outer = run.scope;
  run.scope = undefined;
  run.path.push(run.key);
  const passes = evaluate(node, part, run);
  run.path.pop();
  run.scope = outer;
  return passes;
}

/** Applies a schema without noting what is wrong: only the answer is of interest. */
export function evaluateQuietly(evaluation: (run: SchemaRun) => boolean, run: SchemaRun): boolean {
  const { violations } = run;
  run.violations = undefined;
  const passes = evaluation(run);
  run.violations = violations;
  return passes;
}

function evaluateTracked(node: SchemaNode, value: unknown, run: SchemaRun): boolean {
  const outer = run.scope;
  const inner = new EvaluatedScope();
  run.scope = inner;
  const checks = checksFor(node, typeBitsOf(value));
  const passes = runAll(checks, value, run) && runAll(node.unevaluated, value, run);
  run.scope = outer;
  if (passes) outer?.add(inner);
  return passes;
}

function checksFor({ checks }: SchemaNode, bits: TypeBits): readonly Check[] {
  if (bits === typeBit.object) return checks.object;
  if (bits === typeBit.string) return checks.string;
  if (bits === typeBit.array) return checks.array;
  return (bits & typeBit.number) === 0 ? checks.other : checks.number;
}

function runAll(checks: readonly Check[], value: unknown, run: SchemaRun): boolean {
  let passes = true;
  // By index: this is what a check of a value mostly does.
  for (let index = 0; index < checks.length; index++) {
    if ((checks[index] as Check)(value, run)) continue;
    if (run.violations === undefined) return false;
    passes = false;
  }
  return passes;
}
