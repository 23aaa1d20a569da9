import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { toOutputSchema } from "./output-schema.ts";

describe("toOutputSchema", () => {
  it.each(builtinTools.map((tool) => [tool.id, tool.output] as const))(
    "promises what %s gives, with what may stand beside it",
    (_, output) => {
      const published = toOutputSchema(output);
      expect(published).toMatchObject({
        type: "object",
        properties: { ...output?.properties, output_path: { type: "string" } },
        anyOf: [{ required: output?.required }, { required: ["head"] }],
      });
    },
  );

  it("takes nothing from a tool's own fields", () => {
    const own = { type: "object", properties: { warnings: { type: "integer" } } } as const;
    expect(toOutputSchema(own)?.properties).toMatchObject({ warnings: { type: "integer" } });
  });

  it.each([
    undefined,
    {},
    { type: "array" },
    { type: ["object", "null"] },
    { type: "object", oneOf: [{ required: ["a"] }] },
    { type: "object", maxProperties: 2 },
    { type: "object", unevaluatedProperties: false },
  ] as const)("promises nothing for %j", (schema) => {
    expect(toOutputSchema(schema)).toBeUndefined();
  });
});
