import { createMemoryComputer } from "@haft/computer/memory";
import type { ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { DialectAlias } from "../../dialects/dialect.ts";
import { createRegistry } from "../../registry/registry.ts";
import { startSession } from "../../test-support/start-session.ts";

const echo = new MockTool({
  name: "echo_text",
  parameters: {
    type: "object",
    properties: { text: { type: "string" }, times: { type: "integer" } },
    required: ["text"],
    additionalProperties: false,
  },
  output: (input: unknown) => input,
  aliases: [
    {
      name: "Say",
      parameters: {
        type: "object",
        properties: { words: { type: "array", items: { type: "string" } } },
        required: ["words"],
      },
      toArguments: ({ words }) => ({ text: (words as string[]).join(" ") }),
    },
    { name: "repeat" },
    { name: "shout", toArguments: ({ text }) => ({ text: (text as string).toUpperCase() }) },
  ],
});

function call(
  name: string,
  args?: string | object,
  aliases: DialectAlias[] = [],
): Promise<ToolResult> {
  const dialect = { name: "test", aliases, native: "shown" } as const;
  const session = startSession(createMemoryComputer(), [echo], { dialect });
  return session.call({ name, ...(args === undefined ? {} : { arguments: args as never }) });
}

describe("resolve", () => {
  it.each<[string, string | object]>([
    ["a value", { text: "a" }],
    ["JSON text", '{"text":"a"}'],
  ])("takes arguments as %s", async (_, args) => {
    expect(await call("echo_text", args)).toMatchObject({ data: { text: "a" } });
  });

  it.each<[string, string | undefined]>([
    ["nothing", undefined],
    ["empty text", " \n"],
    ["null", "null"],
  ])("treats %s as no arguments", async (_, args) => {
    expect(await call("echo_text", args)).toMatchObject({
      error_text: expect.stringContaining("text is missing"),
    });
  });

  it("says that broken JSON is broken, and how to continue", async () => {
    expect(await call("echo_text", '{"text": "a"')).toMatchObject({
      error_text: expect.stringMatching(
        /^The arguments of echo_text are not valid JSON: .*Send one JSON object\.$/u,
      ),
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("suggests the name that was probably meant", async () => {
    expect(await call("EchoTextt")).toMatchObject({
      error_text: 'There is no tool named "EchoTextt". Did you mean echo_text?',
      metadata: { error_code: "unknown-tool" },
    });
  });

  it("suggests nothing where nothing is near", async () => {
    expect(await call("compile")).toMatchObject({
      error_text: 'There is no tool named "compile".',
    });
  });

  it("suggests nothing that the mode leaves out", async () => {
    const session = startSession(createMemoryComputer(), [echo], { mode: { includeTools: [] } });
    expect(await session.call({ name: "echo_texts" })).toMatchObject({
      error_text: 'There is no tool named "echo_texts".',
    });
  });

  it("does not know names that every object has", async () => {
    expect(await call("constructor")).toMatchObject({ metadata: { error_code: "unknown-tool" } });
  });

  it("turns the arguments of an alias into the tool's own", async () => {
    expect(await call("Say", { words: ["a", "b"] })).toMatchObject({ data: { text: "a b" } });
  });

  it("treats an alias without a mapping as another name", async () => {
    expect(await call("repeat", { text: "a" })).toMatchObject({ data: { text: "a" } });
  });

  it("holds an alias to its own schema and names it by its own name", async () => {
    expect(await call("Say", { text: "a" })).toMatchObject({
      error_text: expect.stringMatching(
        /do not fit Say: words is missing\. Expected: \{ words: array \}/u,
      ),
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("repairs the arguments of an alias by the alias's schema", async () => {
    expect(await call("Say", { words: '["a"]' })).toMatchObject({ data: { text: "a" } });
  });

  it("shows a mapping without a schema of its own only what fits the tool's", async () => {
    expect(await call("shout", { text: "a" })).toMatchObject({ data: { text: "A" } });
    expect(await call("shout", { text: {} })).toMatchObject({
      error_text: expect.stringContaining("text: expected string, got an object"),
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it("treats a mapping that throws as a bug", async () => {
    const toArguments = (): never => {
      throw new Error("no way");
    };
    expect(
      await call("Broken", { text: "a" }, [{ name: "Broken", tool: "echo_text", toArguments }]),
    ).toMatchObject({
      error_text: "Broken failed unexpectedly: no way",
      metadata: { error_code: "internal" },
    });
  });

  describe("where a name has several readings", () => {
    const own: DialectAlias = {
      name: "echo_text",
      tool: "echo_text",
      parameters: {
        type: "object",
        properties: { line: { type: "string" } },
        required: ["line"],
        additionalProperties: false,
      },
      toArguments: ({ line }) => ({ text: `line ${line}` }),
    };

    it.each<[string, object, object]>([
      ["the dialect's", { line: "a" }, { text: "line a" }],
      ["the native one", { text: "a" }, { text: "a" }],
      ["the native one, after repair", { text: "a", times: "2" }, { text: "a", times: 2 }],
    ])("chooses %s by the arguments", async (_, args, data) => {
      expect(await call("echo_text", args, [own])).toMatchObject({ data });
    });

    it("answers for the dialect's where neither fits", async () => {
      expect(await call("echo_text", {}, [own])).toMatchObject({
        error_text: expect.stringContaining("line is missing"),
      });
    });
  });

  it("says of a tool that was removed that it was there", async () => {
    const registry = createRegistry([echo]);
    const remove = registry.add(new MockTool({ name: "other" }));
    const session = startSession(createMemoryComputer(), [], { registry });
    void remove();
    expect(await session.call({ name: "other" })).toMatchObject({
      error_text: "other was removed after this step began.",
      metadata: { error_code: "not-available" },
    });
    session.startStep();
    expect(await session.call({ name: "other" })).toMatchObject({
      metadata: { error_code: "unknown-tool" },
    });
  });

  it("keeps the published tools that the turn began with, and takes no others", async () => {
    const registry = createRegistry([echo]);
    const leave = registry.add(
      new MockTool({ name: "look_up", source: "published", output: "up" }),
    );
    const session = startSession(createMemoryComputer(), [], { registry });
    void leave();
    registry.add(new MockTool({ name: "book", source: "published", output: "booked" }));
    expect(await session.call({ name: "look_up" })).toMatchObject({ data: "up" });
    expect(await session.call({ name: "book" })).toMatchObject({
      metadata: { error_code: "not-available" },
    });
    session.startStep();
    expect(await session.call({ name: "look_up" })).toMatchObject({
      metadata: { error_code: "unknown-tool" },
    });
    expect(await session.call({ name: "book" })).toMatchObject({ data: "booked" });
  });
});
