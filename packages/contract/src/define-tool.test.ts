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

  it.each<[string, object, string]>([
    ["requires", { requires: undefined }, "requires is missing. A tool that needs nothing"],
    ["requires", { requires: null }, "requires must be an object."],
    ["requires", { requires: [] }, "requires must be an object."],
    ["requires.network", { requires: { network: {} } }, "requires.network is not known. Fields of"],
    ["requires.fs", { requires: { fs: "**" } }, "requires.fs must be an object."],
    ["requires.fs.list", { requires: { fs: { list: [] } } }, "requires.fs.list is not known."],
    ["requires.fs.read", { requires: { fs: { read: "**" } } }, "requires.fs.read must be a list"],
    ["requires.net.hosts", { requires: { net: { hosts: [1] } } }, "requires.net.hosts must be"],
    [
      "requires.shell",
      { requires: { shell: ["git"] } },
      "requires.shell must be a list of objects",
    ],
    [
      "requires.shell",
      { requires: { shell: [{ cmd: "git", args: [{}] }] } },
      "requires.shell must",
    ],
    ["requires.capabilities", { requires: { capabilities: "x" } }, "requires.capabilities must be"],
    ["execute", { execute: undefined }, "has no function execute."],
    ["execute", { execute: "run" }, "has no function execute."],
  ])("refuses a wrong %s: %j (003:10, 003:205)", (_, wrong, text) => {
    expect(findDefinitionFault({ ...definition, ...wrong })).toContain(text);
  });

  it("accepts every kind of requirement", () => {
    const requires = {
      fs: { read: ["**"], write: [] },
      net: { hosts: ["*"] },
      shell: [{ cmd: "git" }, { cmd: "npm", args: ["run", { prefix: "x" }, { wildcard: true }] }],
      capabilities: ["clipboard"],
    } as const;
    expect(findDefinitionFault({ ...definition, requires })).toBeUndefined();
  });

  it("refuses an alias with an invalid name", () => {
    expect(findDefinitionFault({ ...definition, aliases: [{ name: "no/pe" }] })).toMatch(
      /alias "no\/pe"/u,
    );
    const nameless = [{ name: undefined as unknown as string }];
    expect(findDefinitionFault({ ...definition, aliases: nameless })).toMatch(/alias/u);
  });
});
