import { describe, expect, it } from "vitest";
import { readDescription } from "./read-description.ts";

const dir = { type: "string", description: "where to look" };

describe("readDescription", () => {
  it("reads JSON with short arguments", () => {
    const output = JSON.stringify({
      name: "find",
      description: "Finds things.",
      args: {
        dir: ["string", "where to look"],
        depth: ["integer?", "how deep"],
        all: ["boolean", "optional: hidden ones too"],
        more: ["array"],
      },
      subagentTypes: ["finder"],
    });
    expect(readDescription(output)).toEqual({
      format: "json",
      name: "find",
      description: "Finds things.",
      parameters: {
        type: "object",
        properties: {
          dir,
          depth: { type: "integer", description: "how deep" },
          all: { type: "boolean", description: "optional: hidden ones too" },
          more: { type: "array" },
        },
        required: ["dir", "more"],
        additionalProperties: false,
      },
      subagentTypes: ["finder"],
    });
  });

  it("reads JSON with a schema", () => {
    const inputSchema = { properties: { dir }, required: ["dir"] };
    const output = ` ${JSON.stringify({ description: "Finds.", inputSchema }, undefined, 2)}\n`;
    expect(readDescription(output)).toEqual({
      format: "json",
      description: "Finds.",
      parameters: { type: "object", properties: { dir }, required: ["dir"] },
    });
  });

  it("reads lines, a description of several among them", () => {
    const output = [
      "name: find",
      "description: Finds things.",
      "description: Slowly.",
      "dir: string where to look",
      "depth: integer? how deep",
      "what: the thing itself",
      "rest: object optional, whatever else",
      "just a remark",
      "",
    ].join("\r\n");
    expect(readDescription(output)).toEqual({
      format: "text",
      name: "find",
      description: "Finds things.\nSlowly.",
      parameters: {
        type: "object",
        properties: {
          dir,
          depth: { type: "integer", description: "how deep" },
          what: { type: "string", description: "the thing itself" },
          rest: { type: "object", description: "optional, whatever else" },
        },
        required: ["dir", "what"],
        additionalProperties: false,
      },
    });
  });

  it("leaves out what steers a terminal or hides, and cuts what is too long", () => {
    const long = "x".repeat(10_000);
    const output = JSON.stringify({
      description: `Fi\u001b[31mnds\u202e \u200bthings.\u0007 ${long}`,
      args: { dir: ["string", `\u001b]0;title\u0007where ${long}`] },
    });
    const read = readDescription(output);
    if (typeof read === "string") throw new Error(read);
    expect(read.description).toMatch(/^Finds things\. x+…$/u);
    expect(read.description.length).toBeLessThanOrEqual(4_000);
    const { description = "" } = read.parameters.properties?.dir ?? {};
    expect(description).toMatch(/^where x+…$/u);
    expect(description.length).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ["", "has no description"],
    ["hello world\n", "has no description"],
    ["\u0000\u0001\ufffd\ufffd", "has no description"],
    ["[1, 2]", "has no description"],
    ["name: x\ndir: string y\n", "has no description"],
    ["{}", 'no "description" in its JSON'],
    ['{"description": 5}', 'no "description" in its JSON'],
    ['{"description": "\\u200b\\u0007"}', "an empty description"],
    ['{"description": "x", "name": []}', '"name" that is not a string'],
    ['{"description": "x", "args": []}', '"args" that are not an object'],
    ['{"description": "x", "args": {"a": 5}}', '"a", which is not'],
    ['{"description": "x", "args": {"a b": ["string"]}}', 'invalid parameter name, "a b"'],
    ['{"description": "x", "inputSchema": []}', "inputSchema that is not an object"],
    ['{"description": "x", "inputSchema": {"type": "string"}}', 'root type is not "object"'],
    ['{"description": "x", "inputSchema": {"properties": {"a": 5}}}', "can't be used"],
    ['{"description": "x", "inputSchema": {"$ref": "http://x/"}}', "another document"],
  ])("says what is wrong with %j", (output, fault) => {
    expect(readDescription(output)).toContain(fault);
  });
});
