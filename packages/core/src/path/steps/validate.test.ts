import { createMemoryComputer } from "@haft/computer/memory";
import type { ObjectSchema } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { startSession } from "../../test-support/start-session.ts";

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: ["integer", "null"] },
    any: {},
  },
  required: ["path"],
  additionalProperties: false,
};

describe("validate", () => {
  it("names every wrong field and what was expected", async () => {
    const tool = new MockTool({ name: "tool", parameters });
    const session = startSession(createMemoryComputer(), [tool]);
    const result = await session.call({
      name: "tool",
      arguments: { path: [], limit: "x", patj: 1 },
    });
    expect(result).toMatchObject({
      error_text:
        'The arguments do not fit tool: path: expected string, got an array; limit: expected integer or null, got string "x"; patj is not a known property (did you mean path?). Expected: { path: string, limit?: integer|null, any?: any }.',
      metadata: { error_code: "invalid-arguments" },
    });
    expect(tool.callCount).toBe(0);
  });

  it.each([5, "text", true, []].map((args) => [JSON.stringify(args), args]))(
    "refuses %s for arguments",
    async (_, args) => {
      const session = startSession(createMemoryComputer(), [new MockTool({ name: "tool" })]);
      const result = await session.call({ name: "tool", arguments: JSON.stringify(args) });
      expect(result).toMatchObject({
        error_text: expect.stringContaining("the arguments: expected object"),
      });
    },
  );

  it("blames the arguments, not the author, where they are nested without end", async () => {
    const list = { type: "array", items: { $ref: "#/$defs/list" } } as const;
    const parameters: ObjectSchema = {
      type: "object",
      properties: { list: { $ref: "#/$defs/list" } },
      $defs: { list },
    };
    const session = startSession(createMemoryComputer(), [
      new MockTool({ name: "tool", parameters }),
    ]);
    const nested = `{"list":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await session.call({ name: "tool", arguments: nested })).toMatchObject({
      error_text: "The arguments are nested too deeply.",
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it.each<[string, unknown]>([
    ["a property", { properties: { a: null } }],
    ["all properties", { properties: null }],
    ["what is required", { properties: { a: { type: "string" } }, required: 5 }],
  ])("blames the tool's author for nonsense in place of %s", async (_, broken) => {
    const parameters = { type: "object", ...(broken as object) } as ObjectSchema;
    const session = startSession(createMemoryComputer(), [
      new MockTool({ name: "tool", parameters }),
    ]);
    expect(await session.call({ name: "tool", arguments: { a: null } })).toMatchObject({
      error_text: expect.stringContaining("parameter schema is invalid: #/"),
    });
  });

  it("blames the tool's author for a schema that does not compile, every time", async () => {
    const broken = {
      type: "object",
      properties: { a: { type: "text" } },
    } as unknown as ObjectSchema;
    const tool = new MockTool({ name: "tool", parameters: broken });
    const session = startSession(createMemoryComputer(), [tool]);
    for (let time = 0; time < 3; time++) {
      expect(await session.call({ name: "tool", arguments: {} })).toMatchObject({
        error_text: expect.stringMatching(
          /^The tool tool can't be used because its parameter schema is invalid: .*\/type must/u,
        ),
        metadata: { error_code: "internal" },
      });
    }
    expect(tool.callCount).toBe(0);
  });
});
