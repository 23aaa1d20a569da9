import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import { parseRule } from "../rules/rule.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { startSession } from "../test-support/start-session.ts";
import type { Dialect, DialectAlias, ResultEnvironment } from "./dialect.ts";

const search = new MockTool({
  name: "search",
  source: "builtin",
  parameters: {
    type: "object",
    properties: { pattern: { type: "string" }, fold: { type: "boolean" } },
    required: ["pattern"],
    additionalProperties: false,
  },
  outputSchema: { type: "object" },
  output: (input: unknown) => ({ lines: [`found ${JSON.stringify(input)}`] }),
});
const broken = new MockTool({
  name: "broken",
  source: "builtin",
  error: new ToolError("not-found", "There is nothing."),
});
const plain = new MockTool({ name: "plain", source: "builtin" });
const foreign = new MockTool({ name: "mcp__server__tool", source: "mcp" });

const fixture: Dialect = {
  name: "fixture",
  native: "hidden",
  aliases: [
    {
      name: "Search",
      tool: "search",
      description: "Searches the old way.",
      parameters: {
        type: "object",
        properties: { query: { type: "string" } },
        required: ["query"],
        additionalProperties: false,
      },
      maxOutput: { bytes: 60 },
      toArguments: ({ query }) => ({ pattern: query, fold: true }),
      toData: (data) => (data as { lines: string[] }).lines.join("\n"),
    },
    { name: "find", tool: "search", hidden: true },
    {
      name: "Broken",
      tool: "broken",
      toErrorText: ({ message, code }) => `<error ${code}>${message}</error>`,
    },
    {
      name: "Speechless",
      tool: "broken",
      hidden: true,
      toErrorText: () => {
        throw new Error("?");
      },
    },
    { name: "Absent", tool: "absent" },
  ],
};

function start(options: Partial<SessionOptions> = {}) {
  const tools = [search, broken, plain, foreign];
  return startSession(createMemoryComputer(), tools, { dialect: fixture, ...options });
}

describe("a dialect", () => {
  it("shows its own names and schemas, and foreign tools as they are", () => {
    const shown = start().tools();
    expect(shown.map(({ name, tool }) => [name, tool])).toEqual([
      ["Search", "search"],
      ["Broken", "broken"],
      ["mcp__server__tool", "mcp__server__tool"],
    ]);
    expect(shown[0]).toMatchObject({
      description: "Searches the old way.",
      input_schema: { required: ["query"] },
    });
  });

  it("shows native tools beside its own if it says so", () => {
    const shown = start({ dialect: { ...fixture, native: "shown" } }).tools();
    expect(shown.map(({ name }) => name)).toEqual([
      "Search",
      "Broken",
      "plain",
      "mcp__server__tool",
    ]);
  });

  it("shows every name that a tool has in it", () => {
    const aliases = ["One", "Two"].map((name) => ({ name, tool: "plain" }));
    const shown = start({ dialect: { ...fixture, aliases } }).tools();
    expect(shown.map(({ name }) => name)).toEqual(["One", "Two", "mcp__server__tool"]);
  });

  it("promises no shape of data that it changes", () => {
    const [native] = start({ dialect: { ...fixture, aliases: [], native: "shown" } }).tools();
    expect(native?.output_schema).toEqual({ type: "object" });
    expect(start().tools()[0]?.output_schema).toBeUndefined();
  });

  it("translates arguments, data and limits", async () => {
    expect(await start().call({ name: "Search", arguments: { query: "x" } })).toMatchObject({
      data: 'found {"pattern":"x","fold":true}',
    });
    const long = await start().call({ name: "Search", arguments: { query: "x".repeat(90) } });
    expect(long).toMatchObject({ metadata: { truncated: true } });
  });

  it("understands names that it does not show", async () => {
    const args = { pattern: "x" };
    const native = await start().call({ name: "search", arguments: args });
    expect(native).toMatchObject({ data: { lines: ['found {"pattern":"x"}'] } });
    expect(await start().call({ name: "find", arguments: args })).toMatchObject({ type: "output" });
    expect(await start().call({ name: "plain" })).toMatchObject({ type: "output" });
  });

  it("has its own words for errors, and keeps their code", async () => {
    expect(await start().call({ name: "Broken" })).toMatchObject({
      error_text: "<error not-found>There is nothing.</error>",
      metadata: { error_code: "not-found" },
    });
  });

  it("leaves the native sentence standing where it can't say it", async () => {
    expect(await start().call({ name: "Speechless" })).toMatchObject({
      error_text: "There is nothing.",
    });
  });

  it("leaves the words of a call that never got so far to the names it used", async () => {
    expect(await start().call({ name: "Search", arguments: {} })).toMatchObject({
      error_text: expect.stringContaining("do not fit Search: query is missing"),
    });
  });

  it("decides by the schema where its name is also the native one", async () => {
    const own = { ...fixture.aliases[0], name: "search", tool: "search" };
    const session = start({ dialect: { ...fixture, aliases: [own] } });
    const old = await session.call({ name: "search", arguments: { query: "x" } });
    expect(old).toMatchObject({ data: 'found {"pattern":"x","fold":true}' });
    const native = await session.call({ name: "search", arguments: { pattern: "x" } });
    expect(native).toMatchObject({ data: { lines: ['found {"pattern":"x"}'] } });
  });

  it("lets one name stand for several tools, and the arguments tell which", async () => {
    const aliases: DialectAlias[] = [
      { name: "Both", tool: "search", suits: ({ plain: isPlain }) => isPlain !== true },
      {
        name: "Both",
        tool: "plain",
        hidden: true,
        suits: ({ plain: isPlain }) => isPlain === true,
      },
    ];
    const recorder = createMemoryRecorder();
    const session = start({ dialect: { ...fixture, aliases }, recorder });
    expect(session.tools().map(({ name }) => name)).toEqual(["Both", "mcp__server__tool"]);
    await session.call({ name: "Both", arguments: { pattern: "x" } });
    await session.call({ name: "Both", arguments: { plain: true } });
    expect(await session.call({ name: "Both", arguments: {} })).toMatchObject({
      error_text: expect.stringContaining("pattern is missing"),
    });
    expect(Array.from(recorder.list(session.id), ({ tool }) => tool)).toEqual([
      "search",
      "plain",
      "search",
    ]);
  });

  it("leaves a call to the first of several tools where the one that is meant is not there", async () => {
    const aliases: DialectAlias[] = [
      {
        name: "Both",
        tool: "search",
        suits: ({ plain: isPlain }) => isPlain !== true,
        toArguments: ({ plain: isPlain }) => {
          throw new ToolError("not-available", `plain: ${isPlain} can't be had.`);
        },
      },
      { name: "Both", tool: "absent", hidden: true, suits: () => true },
    ];
    const session = start({ dialect: { ...fixture, aliases } });
    const args = { pattern: "x", plain: true };
    const open = { ...search, parameters: { type: "object" } } as const;
    const lenient = startSession(createMemoryComputer(), [open], {
      dialect: { ...fixture, aliases },
    });
    expect(await session.call({ name: "Both", arguments: args })).toMatchObject({
      error_text: expect.stringContaining("do not fit Both: plain"),
    });
    expect(await lenient.call({ name: "Both", arguments: args })).toMatchObject({
      error_text: "plain: true can't be had.",
    });
  });

  it("tells its own words from what was given, and how long it took", async () => {
    const told: ResultEnvironment[] = [];
    const [first] = fixture.aliases as readonly [DialectAlias];
    const alias: DialectAlias = { ...first, toData: (_data, _args, how) => told.push(how) };
    const session = start({ dialect: { ...fixture, aliases: [alias] } });
    await session.call({ name: "Search", arguments: { query: "x", more: 1 } });
    await session.call({ name: "Search", arguments: { query: "x" } });
    expect(told).toMatchObject([{ given: { query: "x" }, outputPath: undefined }]);
    expect(told[0]?.durationMs).toBeLessThan(60_000);
    expect(told[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it("goes before a tool from elsewhere that has one of its names", async () => {
    const twin = new MockTool({ name: "Search", source: "module" });
    const session = startSession(createMemoryComputer(), [search, twin], { dialect: fixture });
    expect(session.tools().map(({ name, tool }) => [name, tool])).toEqual([["Search", "search"]]);
    expect(await session.call({ name: "Search", arguments: { query: "x" } })).toMatchObject({
      data: expect.stringContaining("found"),
    });
  });

  it("leaves rules, events and records with the native ids", async () => {
    const recorder = createMemoryRecorder();
    const rules = [parseRule("search * allow")];
    const session = start({ recorder, rules });
    const heard: unknown[] = [];
    session.on("tool:post", ({ name, tool, arguments: args }) => heard.push({ name, tool, args }));
    await session.call({ name: "Search", arguments: { query: "x" } });
    expect(heard).toEqual([{ name: "Search", tool: "search", args: { pattern: "x", fold: true } }]);
    expect([...recorder.list(session.id)]).toMatchObject([
      { name: "Search", tool: "search", arguments: { query: "x" }, dialect: "fixture" },
    ]);
  });
});
