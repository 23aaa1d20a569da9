import { createMemoryComputer } from "@haft/computer/memory";
import type { PrepareEnvironment, Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { startSession } from "../../test-support/start-session.ts";

function makeTool(prepare: NonNullable<Tool["prepare"]>): MockTool {
  return new MockTool({
    name: "tool",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, count: { type: "integer" } },
      required: ["path"],
    },
    output: (input: unknown) => input,
    prepare,
  });
}

const keep: NonNullable<Tool["prepare"]> = (args) => args;

describe("prepare", () => {
  it("repairs what models get wrong, and says so on the events", async () => {
    const session = startSession(createMemoryComputer(), [makeTool(keep)]);
    const repairs: (readonly string[])[] = [];
    session.on("tool:pre", (event) => repairs.push(event.repairs));
    const result = await session.call({ name: "tool", arguments: { path: "a", count: "5" } });
    expect(result).toMatchObject({ data: { path: "a", count: 5 } });
    expect(repairs).toEqual([["count: read string as integer"]]);
  });

  it("lets the tool normalise its arguments before they are validated", async () => {
    const tool = makeTool((args) => ({ path: "default", ...(args as object) }));
    const session = startSession(createMemoryComputer(), [tool]);
    expect(await session.call({ name: "tool" })).toMatchObject({ data: { path: "default" } });
  });

  it("tells the tool where it will run", async () => {
    const seen: PrepareEnvironment[] = [];
    const tool = makeTool((args, environment) => {
      seen.push(environment);
      return args;
    });
    const session = startSession(createMemoryComputer({ root: "/somewhere" }), [tool]);
    await session.call({ name: "tool", arguments: { path: "a" } });
    expect(seen).toEqual([{ roots: ["/somewhere"], home: undefined }]);
  });

  it("goes on with the arguments as they were if the tool throws", async () => {
    const tool = makeTool(() => {
      throw new TypeError("not like this");
    });
    const session = startSession(createMemoryComputer(), [tool]);
    expect(await session.call({ name: "tool", arguments: { path: "a" } })).toMatchObject({
      data: { path: "a" },
    });
    expect(await session.call({ name: "tool", arguments: { path: {} } })).toMatchObject({
      error_text: expect.stringContaining("path: expected string"),
    });
  });

  it("leaves what the tool makes of its arguments to be validated", async () => {
    const tool = makeTool(() => undefined);
    const session = startSession(createMemoryComputer(), [tool]);
    expect(await session.call({ name: "tool", arguments: { path: "a" } })).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("shows the tool only objects", async () => {
    let shown = 0;
    const tool = makeTool((args) => {
      shown++;
      return args;
    });
    const session = startSession(createMemoryComputer(), [tool]);
    await session.call({ name: "tool", arguments: 5 });
    await session.call({ name: "tool", arguments: '"text"' });
    expect(shown).toBe(0);
  });
});
