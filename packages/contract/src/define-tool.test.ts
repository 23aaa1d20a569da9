import { describe, expect, it } from "vitest";
import { defineTool, findDefinitionFault } from "./define-tool.ts";

const definition = {
  id: "greet",
  description: "Greets somebody by name.",
  parameters: { type: "object" },
  requires: {},
  kind: "other",
  execute: async () => ({ greeting: "hi" }),
} as const;

describe("defineTool", () => {
  it("makes a module's tool of a definition and leaves the definition alone", () => {
    const tool = defineTool(definition);
    expect(tool).toEqual({ ...definition, source: "module" });
    expect(definition).not.toHaveProperty("source");
  });

  it("keeps a source that was given", () => {
    expect(defineTool({ ...definition, source: "builtin" }).source).toBe("builtin");
  });

  it("throws a TypeError that names the fault", () => {
    expect(() => defineTool({ ...definition, id: "my tool" })).toThrow(
      new TypeError(findDefinitionFault({ ...definition, id: "my tool" })),
    );
  });
});

describe("findDefinitionFault", () => {
  it("finds none in a sound definition", () => {
    expect(findDefinitionFault({ ...definition, aliases: [{ name: "Greet" }] })).toBeUndefined();
  });

  it.each(["a", "_", "mcp__server__tool", "tb__x", "web-fetch2", `a${"b".repeat(63)}`])(
    "accepts the id %s",
    (id) => {
      expect(findDefinitionFault({ ...definition, id })).toBeUndefined();
    },
  );

  it.each(["", "1a", "-a", "a.b", "a b", "ä", "a\n", `a${"b".repeat(64)}`])(
    "refuses the id %j",
    (id) => {
      expect(findDefinitionFault({ ...definition, id })).toContain(JSON.stringify(id));
    },
  );

  it("refuses a missing id from an author without types", () => {
    const untyped = { ...definition, id: undefined } as unknown as typeof definition;
    expect(findDefinitionFault(untyped)).toMatch(/not valid/u);
  });

  it.each(["", "  \n"])("refuses the description %j", (description) => {
    expect(findDefinitionFault({ ...definition, description })).toMatch(/no description/u);
  });

  it("refuses parameters whose root is no object", () => {
    for (const parameters of [undefined, {}, { type: "array" }, { type: ["object"] }]) {
      const untyped = { ...definition, parameters } as unknown as typeof definition;
      expect(findDefinitionFault(untyped)).toMatch(/type "object"/u);
    }
  });

  it("refuses an alias with an invalid name", () => {
    expect(findDefinitionFault({ ...definition, aliases: [{ name: "no/pe" }] })).toMatch(
      /alias "no\/pe"/u,
    );
    const nameless = [{ name: undefined as unknown as string }];
    expect(findDefinitionFault({ ...definition, aliases: nameless })).toMatch(/alias/u);
  });
});
