import { type Keyword, type KeywordUse, readCount, readNames, readRecord } from "./keyword.ts";
import { buildMembers } from "./object-members.ts";
import { type Check, evaluateInPlace, evaluatePart, type SchemaNode } from "./schema-node.ts";
import type { SchemaRun } from "./schema-run.ts";
import { typeBit, typeBitsOf } from "./type-bits.ts";

type Data = Readonly<Record<string, unknown>>;

/** Keywords that judge objects. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  maxProperties: count("more", (length, limit) => length <= limit),
  minProperties: count("fewer", (length, limit) => length >= limit),
  required: {
    kind: "object",
    build(use) {
      const names = readNames(use.value, use);
      const demand = { names, because: "" };
      const isPlain = names.every((name) => !(name in Object.prototype));
      return (value, run) => {
        run.spend(names.length, use.pointer);
        if (isPlain && hasAll(value as Data, names)) return true;
        return requireAll(value as Data, demand, { use, run });
      };
    },
  },
  propertyNames: {
    kind: "object",
    build(use) {
      const node = use.compile(use.value, "exclusive", use.keyword);
      return (value, run) => {
        let passes = true;
        for (const name of run.namesOf(value as object, use.pointer)) {
          run.key = name;
          if (evaluatePart(node, name, run)) continue;
          if (run.violations === undefined) return false;
          passes = run.fail(use, "property name must be valid", { propertyName: name });
        }
        return passes;
      };
    },
  },
  additionalProperties: { kind: "object", build: buildMembers },
  properties: { kind: "object", build: buildMembers },
  patternProperties: { kind: "object", build: buildMembers },
  dependentRequired: { kind: "object", build: buildDependencies },
  dependentSchemas: { kind: "object", build: buildDependencies },
  dependencies: { kind: "object", build: buildDependencies },
  unevaluatedProperties: {
    kind: "unevaluated",
    build(use) {
      const node = use.compile(use.value, "additional", use.keyword);
      return (value, run) => {
        const { scope } = run;
        if (typeBitsOf(value) !== typeBit.object || scope === undefined) return true;
        let passes = true;
        for (const name of run.namesOf(value as object, use.pointer)) {
          if (scope.hasAllProperties || scope.properties.has(name)) continue;
          run.key = name;
          const fits =
            use.value === false
              ? run.fail(use, "must NOT have unevaluated properties", { unevaluatedProperty: name })
              : evaluatePart(node, (value as Data)[name], run);
          if (!fits && run.violations === undefined) return false;
          passes &&= fits;
        }
        scope.hasAllProperties = true;
        return passes;
      };
    },
  },
};

/** Names or schemas that hold where a property is present. */
function buildDependencies(use: KeywordUse): Check {
  const required: (readonly [string, readonly string[]])[] = [];
  const nodes: (readonly [string, SchemaNode])[] = [];
  for (const [name, needed] of Object.entries(readRecord(use))) {
    if (use.keyword !== "dependentSchemas" && Array.isArray(needed)) {
      required.push([name, readNames(needed, use)]);
    } else if (use.keyword === "dependentRequired") use.refuse("must be lists of names");
    else nodes.push([name, use.compile(needed, "inPlace", use.keyword, name)]);
  }
  return (value, run) => {
    const data = value as Data;
    run.spend(required.length + nodes.length, use.pointer);
    let passes = true;
    for (const [name, names] of required) {
      if (!has(data, name)) continue;
      run.spend(names.length, use.pointer);
      const because = ` when property ${name} is present`;
      passes = requireAll(data, { names, because }, { use, run }) && passes;
    }
    for (const [name, node] of nodes) {
      if (has(data, name)) passes = evaluateInPlace(node, data, run) && passes;
      if (!passes && run.violations === undefined) return false;
    }
    return passes;
  };
}

function requireAll(
  data: Data,
  { names, because }: { readonly names: readonly string[]; readonly because: string },
  { use, run }: { readonly use: KeywordUse; readonly run: SchemaRun },
): boolean {
  let passes = true;
  for (const name of names) {
    if (has(data, name)) continue;
    if (run.violations === undefined) return false;
    const message =
      because === "" ? `must have required property '${name}'` : `must have property ${name}`;
    passes = run.fail(use, `${message}${because}`, { missingProperty: name });
  }
  return passes;
}

// For names that no object has by birth: quicker than to ask for its own.
function hasAll(data: Data, names: readonly string[]): boolean {
  for (let index = 0; index < names.length; index++) {
    if (data[names[index] as string] === undefined) return false;
  }
  return true;
}

// `constructor` is a name like any other: absent unless it was sent.
function has(data: Data, name: string): boolean {
  return Object.hasOwn(data, name) && data[name] !== undefined;
}

function count(word: string, holds: (length: number, limit: number) => boolean): Keyword {
  return {
    kind: "object",
    build(use) {
      const limit = readCount(use);
      const message = `must NOT have ${word} than ${limit} properties`;
      return (value, run) =>
        holds(run.namesOf(value as object, use.pointer).length, limit) ||
        run.fail(use, message, { limit });
    },
  };
}
