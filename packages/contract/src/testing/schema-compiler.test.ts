import { describe, expect, it } from "vitest";
import { loadSchemaCompiler } from "./schema-compiler.ts";

describe("loadSchemaCompiler", () => {
  it("says what doesn't fit", async () => {
    const compile = await loadSchemaCompiler();
    const findMisfit = compile({ type: "object", properties: { a: { type: "string" } } });
    expect(findMisfit({ a: "x" })).toBeUndefined();
    expect(findMisfit({ a: 1 })).toBe("data/a must be string");
  });

  it("knows draft 2020-12 and no other", async () => {
    const compile = await loadSchemaCompiler();
    expect(compile({ type: "array", prefixItems: [{ type: "string" }] })([1])).toMatch(/string/u);
    expect(() => compile({ type: "array", items: [{}] as never })).toThrow(/items/u);
    expect(() => compile({ $schema: "http://json-schema.org/draft-07/schema#" })).toThrow(
      /draft-07/u,
    );
  });

  it("ignores unknown keywords and formats", async () => {
    const compile = await loadSchemaCompiler();
    expect(compile({ type: "string", format: "x-color", "x-widget": "picker" })("red")).toBe(
      undefined,
    );
  });

  it("compiles two schemas of one id", async () => {
    const compile = await loadSchemaCompiler();
    compile({ $id: "https://example.com/same", type: "object" });
    expect(compile({ $id: "https://example.com/same", type: "string" })("x")).toBeUndefined();
  });

  it("says how to install Ajv where it is missing", async () => {
    const missing = (): Promise<never> => Promise.reject(new Error("Cannot find package 'ajv'"));
    await expect(loadSchemaCompiler(missing)).rejects.toThrow(/npm install --save-dev ajv@8/u);
  });
});
