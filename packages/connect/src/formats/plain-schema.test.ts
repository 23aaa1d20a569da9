import { describe, expect, it } from "vitest";
import { toPlainSchema } from "./plain-schema.ts";

describe("a plain schema", () => {
  it("is the tool's own", () => {
    const schema = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }] } },
      required: ["a"],
    } as const;
    expect(toPlainSchema(schema)).toEqual(schema);
  });

  it("has properties, if none", () => {
    expect(toPlainSchema({ type: "object" })).toEqual({ type: "object", properties: {} });
  });

  it("has nothing at its root for which a provider refuses the request", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: {} },
      oneOf: [{ required: ["a"] }],
      not: { required: ["b"] },
    } as const;
    expect(toPlainSchema(schema)).toEqual({ type: "object", properties: { a: {} } });
  });
});
