import type { JsonSchema } from "@haft/contract";
import { compareArrays } from "./breaking/compare-arrays.ts";
import { compareObjects } from "./breaking/compare-objects.ts";
import { compareValues } from "./breaking/compare-values.ts";
import {
  type AnySchema,
  type BreakingChange,
  isSame,
  type SchemaPair,
  typesOf,
} from "./breaking/schema-parts.ts";
import { createInputValidator } from "./input-validator.ts";

export type { BreakingChange };

/**
 * Finds what makes inputs invalid that were valid before. `undefined` means that there surely is
 * nothing; what can't be told for sure counts as breaking. Fields of which the schema before said
 * nothing at all, not even by `additionalProperties`, are no inputs that anybody relies on.
 */
export function findBreakingChange(
  before: JsonSchema,
  after: JsonSchema,
): BreakingChange | undefined {
  if (isSame(before, after)) return undefined;
  const change = new Comparison(before, after).compare(before, after, "");
  if (change === undefined) return undefined;
  return { ...change, field: change.field === "" ? "the input" : change.field };
}

const deepest = 60;
// Choices within choices can be compared in more ways than there is time for.
const mostSteps = 5_000;

class Comparison {
  readonly #old: JsonSchema;
  readonly #now: JsonSchema;
  /** Pairs that are being compared: a schema that contains itself is as wide as the rest of it. */
  readonly #underWay = new Set<string>();
  /** Whether what references lead to is the same in both. */
  readonly #sharesDefinitions: boolean;
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
    if (after === false) return { field, reason: "is not taken any more" };
    const known = before === true ? {} : before;
    if (this.#isSurelySame(known, after)) return undefined;
    this.#steps += 1;
    if (this.#depth > deepest || this.#steps > mostSteps) {
      return { field, reason: "changed, and is too intricate to be compared" };
    }
    this.#depth += 1;
    try {
      return this.#compareSchemas({ before: known, after, field });
    } finally {
      this.#depth -= 1;
    }
  };

  #compareSchemas(pair: SchemaPair): BreakingChange | undefined {
    const { before, after, field } = pair;
    if (isReference(before) || isReference(after)) return this.#compareReferences(pair);
    const finite = this.#compareFinite(pair);
    if (finite !== undefined) return finite.change;
    const change = this.#compareKeywords(pair);
    if (change === undefined) return undefined;
    // All of these hold, so that one which is narrow enough will do.
    for (const part of listOf(before.allOf)) {
      if (this.compare(part, after, field) === undefined) return undefined;
    }
    // One of these holds, so that each has to be narrow enough.
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
      (types.has("array") ? compareArrays(pair, this.compare) : undefined) ??
      (types.has("object") ? compareObjects(pair, this.compare) : undefined) ??
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
      return { field, reason: "may fit none of its choices (anyOf) any more" };
    }
    if (after.oneOf !== undefined && !this.#isSurelySame(before.oneOf, after.oneOf)) {
      return { field, reason: "may fit none or several of its choices (oneOf) now" };
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

  /** If there are only some values before, each of them can be tried. */
  #compareFinite({
    before,
    after,
    field,
  }: SchemaPair): { readonly change: BreakingChange | undefined } | undefined {
    const values = "const" in before ? [before.const] : before.enum;
    if (values === undefined) return undefined;
    try {
      const [valid, stillValid] = [
        compileWithin(before, this.#old),
        compileWithin(after, this.#now),
      ];
      const [lost] = values.filter((value) => valid(value) && !stillValid(value));
      if (lost === undefined) return { change: undefined };
      const shown = JSON.stringify(lost).slice(0, 100);
      return { change: { field, reason: `no longer takes ${shown}` } };
    } catch {
      return undefined;
    }
  }

  #compareReferences({ before, after, field }: SchemaPair): BreakingChange | undefined {
    const uncertain = { field, reason: "refers to something else ($ref)" };
    const [old, now] = [resolve(before, this.#old), resolve(after, this.#now)];
    if (old === undefined || now === undefined) return uncertain;
    const key = JSON.stringify([before, after]);
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

/** Keywords of which only equality can be told. */
function findUncertain(
  before: JsonSchema,
  after: JsonSchema,
  field: string,
): BreakingChange | undefined {
  const used = equalOnly.filter((keyword) => after[keyword] !== undefined);
  if (used.length === 0) return undefined;
  // What of a schema is unevaluated depends on all of it.
  const keyword = used.find((each) => each.startsWith("unevaluated") && after[each] !== true);
  if (keyword !== undefined)
    return { field, reason: `has another ${keyword}, or something that it judges` };
  const changed = equalOnly.find((each) => !isSame(before[each], after[each]));
  return changed === undefined ? undefined : { field, reason: `has another ${changed}` };
}

/** Whether anything in a schema may be a reference. */
function refers(schema: unknown): boolean {
  return /"\$(?:dynamicRef|recursiveRef|ref)"/u.test(JSON.stringify(schema ?? null));
}

/** Whether a reference in a schema may lead to anything but its definitions. */
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

/** What a reference leads to, `undefined` if that can't be told. */
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

/** A validator of a part of a schema, which may refer to the definitions of the whole. */
function compileWithin(
  part: JsonSchema,
  { $defs, definitions }: JsonSchema,
): (value: unknown) => boolean {
  const validate = createInputValidator({
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    type: "object",
    properties: { value: part },
    required: ["value"],
  });
  return (value) => validate({ value }) === undefined;
}
