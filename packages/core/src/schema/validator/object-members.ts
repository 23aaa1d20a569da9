import type { JsonSchema } from "@haft/contract";
import type { LinearPattern } from "../pattern/compile-pattern.ts";
import { type KeywordUse, type PartRole, readRecord } from "./keyword.ts";
import { type Check, evaluatePart, type SchemaNode } from "./schema-node.ts";
import type { SchemaRun } from "./schema-run.ts";

type Data = Readonly<Record<string, unknown>>;

/** What a schema says of the properties of an object. */
interface Members {
  readonly named: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly (readonly [LinearPattern, SchemaNode])[];
  /** For properties that are neither named nor match; `undefined` if nothing is said of them. */
  readonly rest: SchemaNode | boolean | undefined;
  fail(name: string, run: SchemaRun): false;
  spend(run: SchemaRun): (steps: number) => void;
}

const keywords = ["additionalProperties", "properties", "patternProperties"] as const;

/** Makes one check of the three keywords that say what a property has to be like. */
export function buildMembers(use: KeywordUse): Check | undefined {
  const { schema, pointer } = use;
  // The first of them stands for all.
  if (use.keyword !== keywords.find((keyword) => schema[keyword] !== undefined)) return undefined;
  const named = compileMap(use, "properties", "exclusive");
  const patterns = [...compileMap(use, "patternProperties", "additional")].map(
    ([source, node]) => [use.compilePattern(source), node] as const,
  );
  const rest = compileRest(use, schema);
  const additional = { schema, keyword: "additionalProperties" };
  const members: Members = {
    named,
    patterns,
    rest,
    fail: (name, run) =>
      run.fail(additional, "must NOT have additional properties", { additionalProperty: name }),
    spend: (run) => (steps) => run.spend(steps, pointer),
  };
  if (rest === undefined && patterns.length === 0 && named.size <= fewNames) {
    return (value, run) => checkNamed(value as Data, named, run);
  }
  const check = createMemberCheck(members);
  return (value, run) => {
    let passes = true;
    for (const name of run.namesOf(value as Data, pointer)) {
      if (check(name, (value as Data)[name], run)) continue;
      if (run.violations === undefined) return false;
      passes = false;
    }
    return passes;
  };
}

// With so few it is quicker to ask for each than to list what an object has.
const fewNames = 8;

function checkNamed(data: Data, named: Members["named"], run: SchemaRun): boolean {
  let passes = true;
  for (const [name, node] of named) {
    if (!Object.hasOwn(data, name) || data[name] === undefined) continue;
    run.key = name;
    run.scope?.properties.add(name);
    if (evaluatePart(node, data[name], run)) continue;
    if (run.violations === undefined) return false;
    passes = false;
  }
  return passes;
}

type MemberCheck = (name: string, part: unknown, run: SchemaRun) => boolean;

function createMemberCheck(members: Members): MemberCheck {
  const { named, patterns, rest } = members;
  return (name, part, run) => {
    const node = named.get(name);
    run.key = name;
    // Nearly all properties are named, and that is all there is to them.
    if (node !== undefined && patterns.length === 0) {
      run.scope?.properties.add(name);
      return part === undefined || evaluatePart(node, part, run);
    }
    let isKnown = node !== undefined;
    let passes = node === undefined || part === undefined || evaluatePart(node, part, run);
    if (!passes && run.violations === undefined) return false;
    for (const [pattern, matching] of patterns) {
      if (!pattern.test(name, members.spend(run))) continue;
      isKnown = true;
      run.key = name;
      passes = evaluatePart(matching, part, run) && passes;
      if (!passes && run.violations === undefined) return false;
    }
    if (isKnown || rest !== undefined) run.scope?.properties.add(name);
    if (isKnown || rest === undefined || rest === true) return passes;
    return rest === false ? members.fail(name, run) : evaluatePart(rest, part, run);
  };
}

function compileRest(use: KeywordUse, { additionalProperties }: JsonSchema): Members["rest"] {
  if (additionalProperties === undefined) return undefined;
  const node = use.compile(additionalProperties, "exclusive", "additionalProperties");
  return typeof additionalProperties === "boolean" ? additionalProperties : node;
}

function compileMap(
  use: KeywordUse,
  keyword: "properties" | "patternProperties",
  role: PartRole,
): ReadonlyMap<string, SchemaNode> {
  const value = use.schema[keyword];
  if (value === undefined) return new Map();
  const refuse = (why: string): never => use.refuse(`beside it: ${keyword} ${why}`);
  const entries = Object.entries(
    readRecord({ value, refuse: use.keyword === keyword ? use.refuse : refuse }),
  );
  return new Map(entries.map(([name, part]) => [name, use.compile(part, role, keyword, name)]));
}
