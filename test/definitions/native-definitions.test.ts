// What the definitions of the native tools cost a model, and that their schemas say what is validated.
import { createMemoryComputer } from "@haft/computer/memory";
import type { JsonSchema } from "@haft/contract";
import { createRegistry, createSession } from "@haft/core";
import { compileSchema } from "@haft/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allTools } from "../dialects/all-tools.ts";

const session = createSession({
  registry: createRegistry(allTools),
  computer: createMemoryComputer(),
});
const shown = session.tools("all");

// `haft mcp` has no model for subagents, often no search provider, and programs only with `--code`.
const needsMore =
  /^(?:task|task_output|task_stop|finder|oracle|librarian|kraken|plan_exit|web_search|run_code|code_output)$/u;

describe("the definitions of the native tools", () => {
  it("take at most 4,000 tokens of what haft mcp lists", () => {
    const listed = shown.filter(({ tool }) => !needsMore.test(tool));
    expect(listed.map(({ tool }) => tool)).toContain("question");
    const characters = listed.reduce(
      (sum, { name, description, input_schema: inputSchema }) =>
        sum + JSON.stringify({ name, description, inputSchema }).length,
      0,
    );
    expect(characters / 4).toBeLessThanOrEqual(4_000);
  });

  it.each(shown.map(({ tool, input_schema }) => [tool, input_schema] as const))(
    "%s: the schema that is sent accepts what is validated",
    (id, sent) => {
      const whole = allTools.find((tool) => tool.id === id)?.parameters as JsonSchema;
      const [ours, theirs] = [compileSchema(whole), compileSchema(sent)];
      const outcomes = new Set<boolean>();
      fc.assert(
        fc.property(argumentsFor(whole), (args) => {
          const accepted = ours.accepts(args);
          outcomes.add(accepted);
          expect(theirs.accepts(args)).toBe(accepted);
        }),
        { numRuns: 150 },
      );
      expect(outcomes.size).toBe(2);
    },
  );
});

/** Arguments of which most fit: each member is sometimes missing, wrong, or beside unknown ones. */
function argumentsFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>("", -1, 0, null, [], {}, true, "x".repeat(5_000));
  const of = (one: JsonSchema): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 12, arbitrary: fitting(one) }, { weight: 1, arbitrary: wrong });
  const fitting = (one: JsonSchema): fc.Arbitrary<unknown> => {
    if (one.enum !== undefined) return fc.constantFrom(...one.enum);
    switch (one.type) {
      case "object":
        return fc
          .record(mapValues(one.properties ?? {}, of), { requiredKeys: [...(one.required ?? [])] })
          .chain((fields) => fc.constantFrom(fields, fields, fields, { ...fields, unknown: 1 }));
      case "array":
        return fc.array(of(one.items as JsonSchema), { minLength: 1, maxLength: 2 });
      case "integer":
        return fc.constantFrom(1, 5, 10);
      case "boolean":
        return fc.boolean();
      default:
        return fc.constantFrom("a", "src/app.ts", "two words");
    }
  };
  return of(schema);
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
