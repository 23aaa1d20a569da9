import type { JsonSchema } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { LinearPattern } from "../pattern/compile-pattern.ts";
import type { Check, SchemaNode, ValueKind } from "./schema-node.ts";

/** A format that values of one type can have. */
export interface SchemaFormat {
  readonly type: "string" | "number";
  /** `spend` takes the steps that a test takes beyond one for each character. */
  test(value: never, spend: (steps: number) => void): boolean;
}

/** Formats by their names. */
export type SchemaFormats = Readonly<Record<string, SchemaFormat>>;

/** A keyword where it stands, for what makes a check of it. */
export interface KeywordUse {
  readonly keyword: string;
  readonly value: unknown;
  readonly schema: JsonSchema;
  readonly node: SchemaNode;
  /** Such as `#/properties/a/pattern`. */
  readonly pointer: string;
  readonly formats: SchemaFormats;
  /** Compiles a schema below this one, at the steps of the path, of which the first is a keyword. */
  compile(part: unknown, role: PartRole, ...steps: readonly (string | number)[]): SchemaNode;
  compilePattern(source: string): LinearPattern;
  /** Calls `bind` with what a reference leads to, when all is compiled. */
  refer(reference: string, bind: (target: SchemaNode) => void): void;
  /** Refuses the schema: "must be a list". */
  refuse(why: string): never;
}

/** How a schema below a keyword applies: see `SchemaNode`. */
export type PartRole = "inPlace" | "exclusive" | "additional";

/** What a keyword means: which values it judges, and the check that it comes to, if any. */
export interface Keyword {
  readonly kind: ValueKind | "any" | "unevaluated";
  build(use: KeywordUse): Check | undefined;
}

/** The keyword's value as an object. */
export function readRecord({
  value,
  refuse,
}: Pick<KeywordUse, "value" | "refuse">): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : refuse("must be an object");
}

/** The keyword's value as a list of schemas. */
export function readList({ value, refuse }: KeywordUse): readonly unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : refuse("must be a list of schemas");
}

/** The keyword's value as a whole number from 0 on. */
export function readCount({ value, refuse }: KeywordUse): number {
  return Number.isInteger(value) && (value as number) >= 0
    ? (value as number)
    : refuse("must be a whole number from 0 on");
}

/** Names, each once. */
export function readNames(value: unknown, { refuse }: KeywordUse): readonly string[] {
  const isNames = Array.isArray(value) && value.every((name) => typeof name === "string");
  if (!isNames || new Set(value).size !== value.length) {
    return refuse("must be a list of different names");
  }
  return value;
}
