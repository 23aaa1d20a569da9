import { describe, expect, it } from "vitest";
import { toAssistantMessage, toResultPart } from "./to-messages.ts";

const call = (toolName: string, input: unknown, toolCallId = "c") =>
  toAssistantMessage([{ type: "tool-call", toolCallId, toolName, input }]).content[0];

describe("a call that goes back to a provider", () => {
  it.each([
    ["a legal name as it is", "mcp__far-a", "mcp__far-a"],
    ["other characters as underscores", "a b/ü.c", "a_b___c"],
    ["a digit behind an underscore", "1st", "_1st"],
    ["no name as an underscore", "", "_"],
    ["no more than 64 characters", "x".repeat(99), "x".repeat(64)],
  ])("has %s", (_, name, expected) => {
    expect(call(name, {})).toMatchObject({ toolName: expected });
    expect(toResultPart({ id: "c", name }, { type: "text", value: "" })).toMatchObject({
      toolName: expected,
    });
  });

  it.each([
    [{ a: 1 }, { a: 1 }],
    ['{"a":1}', { a: 1 }],
    ['{"a":', {}],
    ['"x"', {}],
    [[1], {}],
    [null, {}],
    [undefined, {}],
    [5, {}],
  ])("has arguments that are an object: %j", (input, expected) => {
    expect(call("look", input)).toMatchObject({ input: expected });
  });

  it("has an id that every provider accepts, also in its result", () => {
    expect(call("look", {}, "functions.look:0")).toMatchObject({ toolCallId: "functions_look_0" });
    expect(
      toResultPart({ id: "functions.look:0", name: "look" }, { type: "text", value: "" }),
    ).toMatchObject({ toolCallId: "functions_look_0" });
  });
});
