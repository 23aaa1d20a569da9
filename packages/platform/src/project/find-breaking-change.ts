import type { JsonSchema } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import {
  type CompiledSchema,
  compilePattern,
  type LinearPattern,
  SchemaEffortError,
} from "@haft/core/internal";
import { compareArrays } from "./breaking/compare-arrays.ts";
import { compareObjects } from "./breaking/compare-objects.ts";
import { compareValues } from "./breaking/compare-values.ts";
import {
  type AnySchema,
  type BreakingChange,
  type Comparer,
  isSame,
  type SchemaPair,
  toComparableText,
  typesOf,
} from "./breaking/schema-parts.ts";
import { compileInputSchema } from "./input-validator.ts";

export type { BreakingChange };

/**
 * Finds a change that makes formerly valid inputs invalid. `undefined` means that there surely is
 * none; a change that can't be decided counts as breaking. Fields that the earlier schema did not
 * mention, not even with `additionalProperties`, are not inputs that callers rely on.
 */
export function findBreakingChange(
  before: JsonSchema,
  after: JsonSchema,
): BreakingChange | undefined {
  if (isSame(before, after)) return undefined;
  try {
    const change = new Comparison(before, after).compare(before, after, "");
    if (change === undefined) return undefined;
    return { ...change, field: change.field === "" ? "the input" : change.field };
  } catch (error) {
    if (!(error instanceof SchemaEffortError)) throw error;
    return { field: "the input", reason: "changed and is too complex to compare" };
  }
}

const deepest = 60;
// Nested choices can be compared in exponentially many ways.
const maxSteps = 5_000;
/** Maximum steps spent on matching patterns and trying values. */
const maxTrialSteps = 5_000_000;

class Comparison implements Comparer {
  readonly #old: JsonSchema;
  readonly #now: JsonSchema;
  /** Pairs being compared. A recursive pair is assumed to be compatible: the rest of it decides. */
  readonly #underWay = new Set<string>();
  /** Whether both schemas have the same definitions. */
  readonly #sharesDefinitions: boolean;
  readonly #patterns = new Map<string, LinearPattern>();
  readonly #compiled = new Map<JsonSchema, CompiledSchema>();
  readonly #trials = { left: maxTrialSteps };
  #depth = 0;
  #steps = 0;

  constructor(old: JsonSchema, now: JsonSchema) {
    this.#old = old;
    this.#now = now;
    this.#sharesDefinitions =
      isSame(old.$defs, now.$defs) &&
      isSame(old.definitions, now.definitions) &&
      !refersElsewhere(old) &&
      !refersElsewhere(now);
  }

  readonly compare = (
    before: AnySchema,
    after: AnySchema,
    field: string,
  ): BreakingChange | undefined => {
    if (after === true || before === false) return undefined;
    if (after === false) return { field, reason: "is no longer accepted" };
    const known = before === true ? {} : before;
    if (this.#isSurelySame(known, after)) return undefined;
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new SchemaEffortError("there is too much to compare");
    if (this.#depth > deepest) {
      return { field, reason: "changed and is too complex to compare" };
    }
    this.#depth += 1;
    try {
      return this.#compareSchemas({ before: known, after, field });
    } finally {
      this.#depth -= 1;
    }
  };

  readonly matches = (pattern: string, name: string): boolean => {
    let compiled = this.#patterns.get(pattern);
    if (compiled === undefined) {
      compiled = compilePattern(pattern);
      this.#patterns.set(pattern, compiled);
    }
    return compiled.test(name, (steps) => this.#spend(steps));
  };

  #spend(steps: number): void {
    this.#trials.left -= steps;
    if (this.#trials.left < 0) throw new SchemaEffortError("there is too much to try");
  }

  #compareSchemas(pair: SchemaPair): BreakingChange | undefined {
    const { before, after, field } = pair;
    if (isReference(before) || isReference(after)) return this.#compareReferences(pair);
    const finite = this.#compareFinite(pair);
    if (finite !== undefined) return finite.change;
    const change = this.#compareKeywords(pair);
    if (change === undefined) return undefined;
    // All of these apply, so one that is narrow enough suffices.
    for (const part of listOf(before.allOf)) {
      if (this.compare(part, after, field) === undefined) return undefined;
    }
    // Any one of these may apply, so each must be narrow enough.
    for (const choice of [listOf(before.anyOf), listOf(before.oneOf)]) {
      const every = choice.every((part) => this.compare(part, after, field) === undefined);
      if (choice.length > 0 && every) return undefined;
    }
    return change;
  }

  #compareKeywords(pair: SchemaPair): BreakingChange | undefined {
    const { before, after, field } = pair;
    const types = typesOf(before);
    return (
      compareValues(pair) ??
      (types.has("array") ? compareArrays(pair, this) : undefined) ??
      (types.has("object") ? compareObjects(pair, this) : undefined) ??
      this.#compareCombinations(pair) ??
      findUncertain(before, after, field)
    );
  }

  #compareCombinations({ before, after, field }: SchemaPair): BreakingChange | undefined {
    for (const part of listOf(after.allOf)) {
      const change = this.compare(before, part, field);
      if (change !== undefined) return change;
    }
    const choices = listOf(after.anyOf);
    if (choices.length > 0 && !this.#fitsOne(before, choices, field)) {
      return { field, reason: "may no longer match any of its choices (anyOf)" };
    }
    if (after.oneOf !== undefined && !this.#isSurelySame(before.oneOf, after.oneOf)) {
      return { field, reason: "may now match none or several of its choices (oneOf)" };
    }
    return undefined;
  }

  #fitsOne(before: JsonSchema, choices: readonly AnySchema[], field: string): boolean {
    const fits = (schema: AnySchema): boolean =>
      choices.some((choice) => this.compare(schema, choice, field) === undefined);
    if (fits(before)) return true;
    return [listOf(before.anyOf), listOf(before.oneOf)].some(
      (known) => known.length > 0 && known.every(fits),
    );
  }

  /** Tries each earlier value if there are finitely many. */
  #compareFinite({
    before,
    after,
    field,
  }: SchemaPair): { readonly change: BreakingChange | undefined } | undefined {
    const values = "const" in before ? [before.const] : before.enum;
    if (values === undefined) return undefined;
    const [old, now] = [this.#find(before, this.#old), this.#find(after, this.#now)];
    if (old === undefined || now === undefined) return undefined;
    const [lost] = values.filter(
      (value) => old.accepts(value, this.#trials) && !now.accepts(value, this.#trials),
    );
    if (lost === undefined) return { change: undefined };
    const shown = clipText(JSON.stringify(lost), 100);
    return { change: { field, reason: `no longer accepts ${shown}` } };
  }

  /** Compiles a part of a schema with the definitions that it refers to. */
  #find(part: JsonSchema, root: JsonSchema): CompiledSchema | undefined {
    try {
      const known = this.#compiled.get(root) ?? compileInputSchema(root);
      this.#compiled.set(root, known);
      return known.part(part);
    } catch {
      return undefined;
    }
  }

  #compareReferences({ before, after, field }: SchemaPair): BreakingChange | undefined {
    const uncertain = { field, reason: "refers to a different schema ($ref)" };
    const [old, now] = [resolve(before, this.#old), resolve(after, this.#now)];
    if (old === undefined || now === undefined) return uncertain;
    const key = `${toComparableText(before)} ${toComparableText(after)}`;
    if (this.#underWay.has(key)) return undefined;
    this.#underWay.add(key);
    try {
      return this.compare(old, now, field);
    } finally {
      this.#underWay.delete(key);
    }
  }

  #isSurelySame(before: unknown, after: unknown): boolean {
    return isSame(before, after) && (this.#sharesDefinitions || !refers(after));
  }
}

const equalOnly = [
  "not",
  "if",
  "then",
  "else",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;

/** Finds a difference in keywords that are compared for equality only. */
function findUncertain(
  before: JsonSchema,
  after: JsonSchema,
  field: string,
): BreakingChange | undefined {
  const used = equalOnly.filter((keyword) => after[keyword] !== undefined);
  if (used.length === 0) return undefined;
  // What counts as unevaluated depends on the whole schema.
  const keyword = used.find((each) => each.startsWith("unevaluated") && after[each] !== true);
  if (keyword !== undefined)
    return {
      field,
      reason: `has a different ${keyword}, or properties or items that it applies to`,
    };
  const changed = equalOnly.find((each) => !isSame(before[each], after[each]));
  return changed === undefined ? undefined : { field, reason: `has a different ${changed}` };
}

/** Tells whether a schema may contain a reference. */
function refers(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const known = referring.get(schema);
  if (known !== undefined) return known;
  const found = /"\$(?:dynamicRef|recursiveRef|ref)"/u.test(toComparableText(schema));
  referring.set(schema, found);
  return found;
}

const referring = new WeakMap<object, boolean>();

/** Tells whether a schema may refer to anything but its definitions. */
function refersElsewhere(schema: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  if (/"\$(?:dynamicRef|recursiveRef|id|anchor|dynamicAnchor)"/u.test(text)) return true;
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/gu)].map(([, to = ""]) => to);
  return references.some((to) => !definition.test(to));
}

const definition = /^#\/(\$defs|definitions)\/([^/]+)$/u;

function isReference(schema: JsonSchema): boolean {
  return schema.$ref !== undefined || schema.$dynamicRef !== undefined;
}

/** Resolves a reference; `undefined` if that is not possible. */
function resolve(schema: JsonSchema, root: JsonSchema): AnySchema | undefined {
  if (!isReference(schema)) return schema;
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string" || Object.keys(rest).some((key) => !isDescription(key))) {
    return undefined;
  }
  const [, kind, name = ""] = definition.exec($ref) ?? [];
  if (kind === undefined) return undefined;
  const definitions = root[kind] as Readonly<Record<string, AnySchema>> | undefined;
  const key = decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
  return definitions !== undefined && Object.hasOwn(definitions, key)
    ? definitions[key]
    : undefined;
}

function isDescription(key: string): boolean {
  return ["description", "title", "default", "examples", "$comment", "deprecated"].includes(key);
}

function listOf(value: unknown): readonly AnySchema[] {
  return Array.isArray(value) ? (value as readonly AnySchema[]) : [];
}
