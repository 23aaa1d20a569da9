import { type Keyword, type KeywordUse, readList } from "./keyword.ts";
import { type Check, evaluateInPlace, evaluateQuietly, type SchemaNode } from "./schema-node.ts";
import type { SchemaRun } from "./schema-run.ts";

/** Keywords that apply other schemas to the same value. */
export const combinationKeywords: Readonly<Record<string, Keyword>> = {
  $ref: { kind: "any", build: buildReference },
  $dynamicRef: { kind: "any", build: buildReference },
  not: {
    kind: "any",
    build(use) {
      const { value: part, compile } = use;
      const node = compile(part, "inPlace", use.keyword);
      return (value, run) => {
        const { scope } = run;
        run.scope = undefined;
        const passes = evaluateQuietly((quiet) => evaluateInPlace(node, value, quiet), run);
        run.scope = scope;
        return !passes || run.fail(use, "must NOT be valid");
      };
    },
  },
  anyOf: {
    kind: "any",
    build(use) {
      const nodes = compileList(use);
      return (value, run) => {
        const before = run.violations?.length ?? 0;
        let passes = false;
        for (const node of nodes) {
          passes = evaluateInPlace(node, value, run) || passes;
          // Another branch may look at more of the value.
          if (passes && run.scope === undefined) break;
        }
        return settle(passes, run, before) || run.fail(use, "must match a schema in anyOf");
      };
    },
  },
  oneOf: {
    kind: "any",
    build(use) {
      const nodes = compileList(use);
      return (value, run) => {
        const before = run.violations?.length ?? 0;
        let count = 0;
        for (const node of nodes) {
          if (evaluateInPlace(node, value, run) && ++count > 1) break;
        }
        return (
          settle(count === 1, run, before) ||
          run.fail(use, "must match exactly one schema in oneOf")
        );
      };
    },
  },
  allOf: {
    kind: "any",
    build(use) {
      const nodes = compileList(use);
      return (value, run) => {
        let passes = true;
        for (const node of nodes) {
          if (evaluateInPlace(node, value, run)) continue;
          if (run.violations === undefined) return false;
          passes = false;
        }
        return passes;
      };
    },
  },
  if: {
    kind: "any",
    build(use) {
      const { value: part, schema, compile } = use;
      const condition = compile(part, "inPlace", use.keyword);
      const [whenTrue, whenFalse] = ["then", "else"].map((name) =>
        schema[name] === undefined ? undefined : compile(schema[name], "inPlace", name),
      );
      return (value, run) => {
        const passes = evaluateQuietly((quiet) => evaluateInPlace(condition, value, quiet), run);
        const name = passes ? "then" : "else";
        const chosen = passes ? whenTrue : whenFalse;
        if (chosen === undefined || evaluateInPlace(chosen, value, run)) return true;
        return run.fail(use, `must match "${name}" schema`);
      };
    },
  },
};

function buildReference({ value, refer, refuse }: KeywordUse): Check {
  if (typeof value !== "string") return refuse("must be a text");
  let target: SchemaNode | undefined;
  refer(value, (found) => {
    target = found;
  });
  return (one, run) => evaluateInPlace(target as SchemaNode, one, run);
}

function compileList(use: KeywordUse): readonly SchemaNode[] {
  return readList(use).map((part, index) => use.compile(part, "inPlace", use.keyword, index));
}

/** What branches complained of counts only if none was right. */
function settle(passes: boolean, run: SchemaRun, before: number): boolean {
  if (passes && run.violations !== undefined) run.violations.length = before;
  return passes;
}
