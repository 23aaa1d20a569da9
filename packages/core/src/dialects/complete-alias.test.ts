import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { completeAlias } from "./complete-alias.ts";

const parameters = { type: "object", properties: { file: { type: "string" } } } as const;
const toArguments = ({ file }: Readonly<Record<string, unknown>>): unknown => ({ path: file });
const tool = {
  ...new MockTool({ name: "open" }),
  aliases: [{ name: "Open", description: "Opens.", parameters, toArguments }],
};

describe("completeAlias", () => {
  it("takes from the tool's alias of the same name what the dialect leaves out", () => {
    expect(completeAlias({ name: "Open", tool: "open" }, tool)).toEqual({
      name: "Open",
      tool: "open",
      description: "Opens.",
      parameters,
      toArguments,
    });
  });

  it("resolves one name to another, and prefers the dialect's own text", () => {
    const alias = { name: "view", tool: "open", like: "Open", description: "Views." };
    expect(completeAlias(alias, tool)).toMatchObject({
      name: "view",
      description: "Views.",
      parameters,
    });
  });

  it("leaves alone a name that the tool does not know", () => {
    const alias = { name: "view", tool: "open" };
    expect(completeAlias(alias, tool)).toBe(alias);
  });
});
