import type { JsonTypeName } from "@haft/contract";
import { type ComparableSet, compareValue, toComparableSet } from "./comparable-set.ts";
import { type Keyword, type KeywordUse, readCount } from "./keyword.ts";
import type { Check } from "./schema-node.ts";
import { typeBit } from "./type-bits.ts";

/** Keywords that judge single values: their type, numbers and texts. */
export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type: { kind: "any", build: buildType },
  const: {
    kind: "any",
    build: (use) =>
      among(use, [use.value], ["must be equal to constant", { allowedValue: use.value }]),
  },
  enum: {
    kind: "any",
    build(use) {
      const { value, refuse } = use;
      if (!Array.isArray(value) || value.length === 0) return refuse("must be a list of values");
      const message = "must be equal to one of the allowed values";
      return among(use, value, [message, { allowedValues: value }]);
    },
  },
  maximum: bound("<=", (value, limit) => value <= limit),
  minimum: bound(">=", (value, limit) => value >= limit),
  exclusiveMaximum: bound("<", (value, limit) => value < limit),
  exclusiveMinimum: bound(">", (value, limit) => value > limit),
  multipleOf: {
    kind: "number",
    build(use) {
      const { value: divisor, refuse } = use;
      if (!isNumber(divisor) || divisor <= 0) return refuse("must be a number greater than 0");
      const message = `must be multiple of ${divisor}`;
      return (value, run) =>
        Number.isInteger((value as number) / divisor) || run.fail(use, message);
    },
  },
  maxLength: length("more", (count, limit) => count <= limit),
  minLength: length("fewer", (count, limit) => count >= limit),
  pattern: {
    kind: "string",
    build(use) {
      const { value: source, pointer, compilePattern, refuse } = use;
      if (typeof source !== "string") return refuse("must be a text");
      const pattern = compilePattern(source);
      return (value, run) =>
        pattern.test(value as string, (steps) => run.spend(steps, pointer)) ||
        run.fail(use, `must match pattern "${source}"`, { pattern: source });
    },
  },
  format: {
    kind: "any",
    build(use) {
      const { value: name, pointer, formats, refuse } = use;
      if (typeof name !== "string") return refuse("must be a text");
      const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
      if (format === undefined) return undefined;
      const message = `must match format "${name}"`;
      return (value, run) => {
        if (typeof value !== format.type) return true;
        if (typeof value === "string") run.spend(value.length, pointer);
        const fits = format.test(value as never, (steps) => run.spend(steps, pointer));
        return fits || run.fail(use, message, { format: name });
      };
    },
  },
};

function buildType(use: KeywordUse): undefined {
  const { value, schema, node, refuse } = use;
  const names = (Array.isArray(value) ? value : [value]) as readonly JsonTypeName[];
  const isKnown = names.every((name) => typeof name === "string" && Object.hasOwn(typeBit, name));
  if (!isKnown || names.length === 0 || new Set(names).size !== names.length) {
    return refuse(`must be one of ${Object.keys(typeBit).join(", ")}, or a list of them`);
  }
  // No keyword of JSON Schema, but OpenAPI has it and much comes from there.
  const all = schema.nullable === true ? [...new Set([...names, "null" as const])] : names;
  const message = `must be ${all.join(",")}`;
  const params = { type: all.length === 1 ? all[0] : all };
  node.types = all.reduce((bits, name) => bits | typeBit[name], 0);
  node.failType = (run) => run.fail(use, message, params);
}

function among(
  use: KeywordUse,
  values: readonly unknown[],
  [message, params]: readonly [message: string, params: Readonly<Record<string, unknown>>],
): Check {
  const allowed: ComparableSet = toComparableSet(values);
  return (value, run) =>
    compareValue(value, allowed, (steps) => run.spend(steps, use.pointer)) ||
    run.fail(use, message, params);
}

function bound(sign: string, holds: (value: number, limit: number) => boolean): Keyword {
  return {
    kind: "number",
    build(use) {
      const { value: limit, refuse } = use;
      if (!isNumber(limit)) return refuse("must be a number");
      const message = `must be ${sign} ${limit}`;
      return (value, run) => holds(value as number, limit) || run.fail(use, message, { limit });
    },
  };
}

function length(word: string, holds: (count: number, limit: number) => boolean): Keyword {
  return {
    kind: "string",
    build(use) {
      const { pointer } = use;
      const limit = readCount(use);
      const message = `must NOT have ${word} than ${limit} characters`;
      return (value, run) => {
        const text = value as string;
        run.spend(text.length >> 4, pointer);
        return holds(countCharacters(text), limit) || run.fail(use, message, { limit });
      };
    },
  };
}

// JSON Schema counts characters; a text without surrogates has as many as it has units.
function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.codePointAt(at) as number) <= 0xffff) continue;
    count--;
    at++;
  }
  return count;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
