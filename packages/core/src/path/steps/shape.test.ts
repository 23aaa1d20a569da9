import { createMemoryComputer } from "@haft/computer/memory";
import { type OutputLimit, type Tool, ToolError, type ToolResult } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Computer } from "../../computer.ts";
import { createMemoryRecorder } from "../../recorder/memory-recorder.ts";
import type { Session } from "../../session/session.ts";
import { fakeToken } from "../../test-support/fake-token.ts";
import { startSession } from "../../test-support/start-session.ts";

const kilobyte = 1024;

const cat: Tool = {
  ...new MockTool({ name: "cat", requires: { fs: { read: ["**"] } } }),
  execute: async (args, { fs }) =>
    new TextDecoder().decode(await fs.read((args as { path: string }).path)),
  maxOutput: { bytes: 10_000 * kilobyte },
};

function setUp(
  output: unknown,
  maxOutput?: OutputLimit,
  computer: Computer = createMemoryComputer(),
): Session {
  const tool = new MockTool({
    name: "tool",
    output: () => output,
    ...(maxOutput && { maxOutput }),
  });
  return startSession(computer, [tool, cat]);
}

function brokenSidecars(): Computer {
  const computer = createMemoryComputer();
  const write = (): Promise<never> => Promise.reject(new Error("disk full"));
  return {
    ...computer,
    openSession: (name) => {
      const storage = computer.openSession(name);
      return { ...storage, sidecars: { ...storage.sidecars, write } };
    },
  };
}

async function readRest(session: Session, { metadata }: ToolResult): Promise<unknown> {
  const path = metadata.output_path as string;
  const result = await session.call({ name: "cat", arguments: { path } });
  return result.type === "output" ? result.data : result.error_text;
}

describe("shape", () => {
  it("says how long the call took and what confined it", async () => {
    expect(await setUp("x").call({ name: "tool" })).toEqual({
      type: "output",
      data: "x",
      metadata: { duration_ms: expect.any(Number), isolation: "capability" },
    });
  });

  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, null],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a map", new Map([["a", 1]]), {}],
    ["undefined deep inside", { a: [undefined], b: undefined }, { a: [null] }],
  ])("makes JSON of %s", async (_, output, data) => {
    const result = await setUp(output).call({ name: "tool" });
    expect(result).toMatchObject({ type: "output" });
    expect(result).toHaveProperty("data", data);
  });

  it.each<[string, unknown]>([
    ["a big integer", 1n],
    ["a function", () => {}],
    ["what refers to itself", cyclic()],
  ])("treats %s as a bug in the tool", async (_, output) => {
    expect(await setUp(output).call({ name: "tool" })).toMatchObject({
      error_text: expect.stringContaining("tool returned data that is not JSON"),
      metadata: { error_code: "internal" },
    });
  });

  it("leaves what just fits as it is", async () => {
    const output = "x".repeat(100 * kilobyte);
    const result = await setUp(output).call({ name: "tool" });
    expect(result).toMatchObject({ data: output });
    expect(result.metadata.truncated).toBeUndefined();
  });

  it("cuts a text to its head and keeps the whole where it can be read", async () => {
    const output = "é".repeat(60 * kilobyte);
    const session = setUp(output);
    const result = await session.call({ id: "c1", name: "tool" });
    expect(result).toMatchObject({
      data: { head: "é".repeat(50 * kilobyte) },
      metadata: { truncated: true, output_path: expect.stringContaining("c1") },
    });
    expect(await readRest(session, result)).toBe(output);
  });

  it("never cuts a character in two", async () => {
    const session = setUp("😀".repeat(10), { bytes: 11 });
    expect(await session.call({ name: "tool" })).toMatchObject({ data: { head: "😀😀" } });
  });

  it("cuts the field that the tool names", async () => {
    const session = setUp({ out: "abcdef", code: 1 }, { bytes: 4, field: "out" });
    const result = await session.call({ name: "tool" });
    expect(result).toMatchObject({ data: { out: "abcd", code: 1 }, metadata: { truncated: true } });
    expect(await readRest(session, result)).toBe("abcdef");
  });

  it("cuts entries to the number that the tool names", async () => {
    const files = Array.from({ length: 1_001 }, (_, index) => `file ${index}`);
    const session = setUp({ files }, { entries: 1_000, field: "files" });
    const result = await session.call({ name: "tool" });
    expect(result).toMatchObject({ data: { files: files.slice(0, 1_000) } });
    expect(await readRest(session, result)).toBe(files.join("\n"));
  });

  it("cuts other data to the head of its JSON", async () => {
    const output = { rows: Array.from({ length: 20_000 }, (_, index) => ({ index })) };
    const session = setUp(output);
    const result = await session.call({ name: "tool" });
    const { head } = (result as { data: { head: string } }).data;
    expect(utf8Length(head)).toBe(100 * kilobyte);
    expect(JSON.parse((await readRest(session, result)) as string)).toEqual(output);
  });

  it("gives two outputs two places, also if the caller repeats an id", async () => {
    const session = setUp("abc", { bytes: 1 });
    const [one, two] = await session.batch([
      { id: "same", name: "tool" },
      { id: "same", name: "tool" },
    ]);
    expect(one?.result.metadata.output_path).not.toBe(two?.result.metadata.output_path);
  });

  it("warns if the whole can't be kept, and still gives the head", async () => {
    const session = setUp("abc", { bytes: 1 }, brokenSidecars());
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    const message = "The whole output (3 bytes) could not be saved: disk full";
    const result = await session.call({ name: "tool" });
    expect(result).toMatchObject({
      type: "output",
      data: { head: "a" },
      metadata: { truncated: true, warnings: [message] },
    });
    expect(result.metadata.output_path).toBeUndefined();
    expect(warnings).toEqual([message]);
  });

  it("cuts an endless error text too", async () => {
    const message = `${"é".repeat(80 * kilobyte)} end`;
    const tool = new MockTool({ name: "tool", error: new ToolError("failed", message) });
    const session = startSession(createMemoryComputer(), [tool, cat]);
    const result = await session.call({ name: "tool" });
    expect(result).toMatchObject({
      error_text: "é".repeat(50 * kilobyte),
      metadata: { error_code: "failed", truncated: true },
    });
    expect(await readRest(session, result)).toBe(message);
  });

  it("names the files that the call changed, each once", async () => {
    const writer: Tool = {
      ...new MockTool({ name: "writer", requires: { fs: { write: ["**"] } } }),
      execute: async (_, { fs }) => {
        await fs.write("a", "1");
        await fs.write("b", "1");
        await fs.write("a", "2");
        throw new ToolError("failed", "Half done.");
      },
    };
    const session = startSession(createMemoryComputer(), [writer]);
    expect(await session.call({ name: "writer" })).toMatchObject({
      type: "error",
      metadata: { track_files: ["/workspace/a", "/workspace/b"] },
    });
  });
});

describe("shape, of secrets", () => {
  const secrets = { API_KEY: "k3y-0f-the-house", SHORT: "s3cr3t" };
  const token = `ghp_${fakeToken(36)}`;
  const open = (tool: Tool): Session =>
    startSession(createMemoryComputer(), [tool, cat], { secrets });
  const returning = (output: unknown, maxOutput?: OutputLimit): Session =>
    open(new MockTool({ name: "tool", output: () => output, ...(maxOutput && { maxOutput }) }));

  it("shows placeholders in data, and leaves the rest as it is", async () => {
    const output = { text: `k3y-0f-the-house and ${token}`, code: 1 };
    expect(await returning(output).call({ name: "tool" })).toMatchObject({
      data: {
        text: expect.stringMatching(/^\[secret:API_KEY\] and \[secret:github-token:\w{6}\]$/u),
        code: 1,
      },
    });
  });

  it("shows placeholders in errors and in what a tool had so far", async () => {
    const error = new ToolError("failed", `It was ${token}.`, { partial: "k3y-0f-the-house" });
    const result = await open(new MockTool({ name: "tool", error })).call({ name: "tool" });
    expect(result).toMatchObject({
      error_text: expect.stringMatching(
        /^It was \[secret:github-token:\w{6}\]\.\n\nOutput so far:\n\[secret:API_KEY\]$/u,
      ),
    });
  });

  it("keeps placeholders in what does not fit, also where it is cut", async () => {
    const session = returning(`${"x ".repeat(50)}${token} end`, { bytes: 110 });
    const result = await session.call({ name: "tool" });
    expect(result).toMatchObject({ data: { head: expect.stringMatching(/ \[secret:gi$/u) } });
    expect(await readRest(session, result)).toMatch(/ \[secret:github-token:\w{6}\] end$/u);
  });

  it("cuts what only its placeholders make too long", async () => {
    const session = returning("s3cr3t ".repeat(10), { bytes: 80 });
    expect(await session.call({ name: "tool" })).toMatchObject({
      data: { head: "[secret:SHORT] ".repeat(6).slice(0, 80) },
      metadata: { truncated: true },
    });
  });

  it("leaves pictures whole", async () => {
    const image = { type: "image", media_type: "image/png", data: token };
    expect(await returning(image).call({ name: "tool" })).toMatchObject({ data: image });
  });

  it("records what was shown, and known values of arguments by name only", async () => {
    const recorder = createMemoryRecorder();
    const tool = new MockTool({ name: "tool", output: () => token });
    const session = startSession(createMemoryComputer(), [tool], { secrets, recorder });
    const events: unknown[] = [];
    session.on("tool:post", (event) => events.push(event.arguments));
    const args = { a: "k3y-0f-the-house", b: token };
    const result = await session.call({ name: "tool", arguments: args });
    expect(tool.inputs).toEqual([args]);
    const rows = [...recorder.list(session.id)];
    expect(rows).toMatchObject([{ arguments: { a: "[secret:API_KEY]", b: token }, result }]);
    expect(JSON.stringify(rows[0]?.result)).not.toContain(token);
    expect(events).toEqual([
      { a: "[secret:API_KEY]", b: expect.stringMatching(/^\[secret:github-token:/u) },
    ]);
  });
});

function cyclic(): unknown {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  return loop;
}
