import { createMemoryComputer, type MemoryComputer } from "@haft/computer/memory";
import type { PrepareEnvironment, Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Session } from "../../session/session.ts";
import { fakeToken } from "../../test-support/fake-token.ts";
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

const pathOf = (args: unknown): string => (args as { path: string }).path;
const token = `ghp_${fakeToken(36)}`;

function setUpFiles(): { session: Session; computer: MemoryComputer } {
  const read: Tool = {
    ...new MockTool({ name: "read", kind: "read", requires: { fs: { read: ["**"] } } }),
    execution: { resourceKeys: (args) => [{ key: pathOf(args), mode: "read" }] },
    execute: async (args, { fs }) => new TextDecoder().decode(await fs.read(pathOf(args))),
  };
  const write: Tool = {
    ...new MockTool({ name: "write", kind: "edit", requires: { fs: { write: ["**"] } } }),
    execution: { resourceKeys: (args) => [{ key: pathOf(args), mode: "write" }] },
    execute: async (args, { fs }) => {
      await fs.write(pathOf(args), (args as { content: string }).content);
    },
  };
  const note = new MockTool({ name: "note", output: (input: unknown) => input });
  const computer = createMemoryComputer({ files: { "a.ts": `const t = "${token}";` } });
  return { computer, session: startSession(computer, [read, write, note]) };
}

describe("prepare, of placeholders", () => {
  it("puts a secret back into the file that it was read from", async () => {
    const { session } = setUpFiles();
    const shown = await session.call({ name: "read", arguments: { path: "a.ts" } });
    const text = (shown as { data: string }).data;
    expect(text).toMatch(/^const t = "\[secret:github-token:\w{6}\]";$/u);
    const content = `${text}\n// changed`;
    expect(
      await session.call({ name: "write", arguments: { path: "./a.ts", content } }),
    ).toMatchObject({ type: "output" });
    const again = await session.call({ name: "read", arguments: { path: "a.ts" } });
    expect(again).toMatchObject({ data: content });
    const other = startSession(createMemoryComputer(), []);
    await other.close();
  });

  it("refuses to carry it to another file, or one it does not know", async () => {
    const { session } = setUpFiles();
    const { data } = (await session.call({ name: "read", arguments: { path: "a.ts" } })) as {
      data: string;
    };
    const results = await session.batch([
      { name: "write", arguments: { path: "b.ts", content: data } },
      { name: "write", arguments: { path: "a.ts", content: "[secret:jwt:012345]" } },
      { name: "write", arguments: { content: "[secret:jwt:012345]" } },
    ]);
    for (const { result } of results) {
      expect(result).toMatchObject({
        error_text: expect.stringMatching(/^\[secret:[\w:-]+\] stands for a secret/u),
        metadata: { error_code: "conflict" },
      });
    }
  });

  it("leaves them to tools that write nothing", async () => {
    const { session } = setUpFiles();
    const args = { text: "[secret:jwt:012345]" };
    expect(await session.call({ name: "note", arguments: args })).toMatchObject({ data: args });
  });
});

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

  it("continues with the arguments as they were if the tool throws", async () => {
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
