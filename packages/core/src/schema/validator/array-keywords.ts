import { findDuplicate } from "./comparable-set.ts";
import { type Keyword, readCount, readList } from "./keyword.ts";
import { evaluatePart, evaluateQuietly, type SchemaNode } from "./schema-node.ts";
import type { SchemaRun } from "./schema-run.ts";

/** Keywords that judge lists. */
export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  maxItems: count("more", (length, limit) => length <= limit),
  minItems: count("fewer", (length, limit) => length >= limit),
  uniqueItems: {
    kind: "array",
    build(use) {
      const { value: isUnique, pointer, refuse } = use;
      if (typeof isUnique !== "boolean") return refuse("must be true or false");
      if (!isUnique) return undefined;
      return (value, run) => {
        const spend = (steps: number): void => run.spend(steps, pointer);
        const [first, second] = findDuplicate(value as readonly unknown[], spend) ?? [];
        if (first === undefined) return true;
        const message = `must NOT have duplicate items (items ## ${first} and ${second} are identical)`;
        return run.fail(use, message);
      };
    },
  },
  prefixItems: {
    kind: "array",
    build(use) {
      const nodes = readList(use).map((part, index) =>
        use.compile(part, "exclusive", use.keyword, index),
      );
      return (value, run) => {
        const items = value as readonly unknown[];
        const end = Math.min(nodes.length, items.length);
        if (run.scope !== undefined) run.scope.firstItems = Math.max(run.scope.firstItems, end);
        return everyItem([0, end], run, (index) =>
          evaluatePart(nodes[index] as SchemaNode, items[index], run),
        );
      };
    },
  },
  items: {
    kind: "array",
    build(use) {
      const { value: part, schema, compile, refuse } = use;
      if (Array.isArray(part)) return refuse('must be one schema; use "prefixItems" for a list');
      const node = compile(part, "exclusive", use.keyword);
      const start = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
      const message = `must NOT have more than ${start} items`;
      return (value, run) => {
        const items = value as readonly unknown[];
        if (run.scope !== undefined && items.length > start) run.scope.hasAllItems = true;
        if (part === true) return true;
        if (part === false) return items.length <= start || run.fail(use, message);
        return everyItem([start, items.length], run, (index) =>
          evaluatePart(node, items[index], run),
        );
      };
    },
  },
  contains: {
    kind: "array",
    build(use) {
      const { value: part, schema, compile } = use;
      const node = compile(part, "additional", use.keyword);
      const minCount = typeof schema.minContains === "number" ? schema.minContains : 1;
      const maxCount =
        typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
      const more = Number.isFinite(maxCount) ? ` and no more than ${maxCount}` : "";
      const message = `must contain at minCount ${minCount}${more} valid item(s)`;
      return (value, run) => {
        let found = 0;
        for (const [index, item] of (value as readonly unknown[]).entries()) {
          run.key = index;
          if (!evaluateQuietly((quiet) => evaluatePart(node, item, quiet), run)) continue;
          found++;
          run.scope?.items.add(index);
          if (found > maxCount) break;
          if (found >= minCount && maxCount === Number.POSITIVE_INFINITY && run.scope === undefined)
            break;
        }
        return (found >= minCount && found <= maxCount) || run.fail(use, message);
      };
    },
  },
  minContains: { kind: "array", build: (use) => void readCount(use) },
  maxContains: { kind: "array", build: (use) => void readCount(use) },
  unevaluatedItems: {
    kind: "unevaluated",
    build(use) {
      const { value: part, compile } = use;
      const node = compile(part, "additional", use.keyword);
      const message = "must NOT have unevaluated items";
      return (value, run) => {
        const { scope } = run;
        if (!Array.isArray(value) || scope === undefined || scope.hasAllItems) return true;
        let passes = true;
        for (let index = scope.firstItems; index < value.length; index++) {
          if (scope.items.has(index)) continue;
          run.key = index;
          const fits =
            part === false ? run.fail(use, message) : evaluatePart(node, value[index], run);
          if (!fits && run.violations === undefined) return false;
          passes &&= fits;
        }
        scope.hasAllItems = true;
        return passes;
      };
    },
  },
};

function count(word: string, holds: (length: number, limit: number) => boolean): Keyword {
  return {
    kind: "array",
    build(use) {
      const limit = readCount(use);
      const message = `must NOT have ${word} than ${limit} items`;
      return (value, run) =>
        holds((value as readonly unknown[]).length, limit) || run.fail(use, message, { limit });
    },
  };
}

function everyItem(
  [start, end]: readonly [number, number],
  run: SchemaRun,
  passesAt: (index: number) => boolean,
): boolean {
  let passes = true;
  for (let index = start; index < end; index++) {
    run.key = index;
    if (passesAt(index)) continue;
    if (run.violations === undefined) return false;
    passes = false;
  }
  return passes;
}
