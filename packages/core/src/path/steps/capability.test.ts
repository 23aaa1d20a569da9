import { createMemoryComputer } from "@haft/computer/memory";
import type { RequirementSet, ResourceKey, ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { SessionOptions } from "../../session/session-options.ts";
import { readPlainCommands } from "../../test-support/plain-commands.ts";
import { startSession } from "../../test-support/start-session.ts";

const computer = readPlainCommands(createMemoryComputer());

const everything: RequirementSet = {
  fs: { read: ["**"], write: ["out/**"] },
  net: { hosts: ["*.example.com"] },
  shell: [{ cmd: "git", args: ["log"] }],
};

async function touch(
  key: ResourceKey,
  requires: RequirementSet = everything,
  options: Partial<SessionOptions> = {},
): Promise<ToolResult> {
  const tool = new MockTool({
    name: "tool",
    source: "builtin",
    requires,
    execution: { resourceKeys: () => [key] },
  });
  const result = await startSession(computer, [tool], options).call({ name: "tool" });
  expect(tool.callCount).toBe(result.type === "output" ? 1 : 0);
  return result;
}

describe("capability", () => {
  it.each<[string, ResourceKey]>([
    ["read a file of the workspace", { key: "a", mode: "read" }],
    ["write where it may", { key: "out/a", mode: "write" }],
    ["reach a host", { key: "api.example.com", mode: "read", type: "host" }],
    ["run a command", { key: " git  log ", mode: "write", type: "command" }],
    ["use a name of its own", { key: "anything", mode: "write", type: "name" }],
  ])("lets a call %s", async (_, key) => {
    expect((await touch(key)).type).toBe("output");
  });

  it.each<[string, ResourceKey]>([
    ["write elsewhere", { key: "src/a", mode: "write" }],
    ["leave the workspace", { key: "../etc/passwd", mode: "read" }],
    ["read an absolute path elsewhere", { key: "/etc/passwd", mode: "read" }],
    ["reach another host", { key: "example.org", mode: "read", type: "host" }],
    ["run another command", { key: "git push", mode: "write", type: "command" }],
  ])("does not let a call %s", async (_, key) => {
    expect(await touch(key)).toMatchObject({ metadata: { error_code: "out-of-scope" } });
  });

  it("stops a tool whose capabilities are above the host's ceiling (003:98)", async () => {
    const tool = new MockTool({
      name: "tool",
      requires: { capabilities: ["clipboard", "camera"] },
    });
    const run = (ceiling: RequirementSet): Promise<ToolResult> =>
      startSession(computer, [tool], { ceiling }).call({ name: "tool" });
    expect(await run({ capabilities: ["camera", "clipboard"] })).toMatchObject({ type: "output" });
    expect(await run({ capabilities: ["clipboard"] })).toMatchObject({
      error_text: "tool may not use the capability camera in this session.",
      metadata: { error_code: "out-of-scope" },
    });
    expect(await run({})).toMatchObject({ type: "error" });
    expect(tool.callCount).toBe(1);
  });

  it.each<[string, RequirementSet["shell"], string]>([
    [
      "programs",
      [{ cmd: "gopls" }, { cmd: "gopls", args: ["version"] }, { cmd: "go" }],
      "gopls, go",
    ],
    ["any command", [{ cmd: "*" }], "commands"],
    ["many programs", [..."abcdefg"].map((cmd) => ({ cmd })), "a, b, c, d, e and 2 others"],
  ])("stops a tool that runs %s where none is granted", async (_, shell = [], named) => {
    const tool = new MockTool({ name: "tool", source: "builtin", requires: { shell } });
    const run = (options: Partial<SessionOptions>): Promise<ToolResult> =>
      startSession(computer, [tool], options).call({ name: "tool" });
    const refused = {
      error_text: `tool can't be used in this session: it runs ${named}, and the session may run none of that.`,
      metadata: { error_code: "out-of-scope" },
    };
    expect(await run({ ceiling: { fs: { read: ["**"] } } })).toMatchObject(refused);
    const reader = new MockTool({ name: "reader", requires: { fs: { read: ["**"] } } });
    const parent = startSession(createMemoryComputer(), [reader]).bounds;
    expect(await run({ parent })).toMatchObject(refused);
    expect(tool.callCount).toBe(0);
    // Some of its commands are enough: those that are not granted are refused when they are run.
    const granted = shell.map(({ cmd }) => ({ cmd, args: ["--version"] })).slice(0, 1);
    for (const options of [
      {},
      { ceiling: { shell: granted } },
      { ceiling: { shell: [{ cmd: "*" }] } },
    ]) {
      expect(await run(options)).toMatchObject({ type: "output" });
    }
  });

  it("names the file in full and where the workspace is", async () => {
    expect(await touch({ key: "../etc/passwd", mode: "read" })).toMatchObject({
      error_text:
        "tool may not read /etc/passwd: it is outside what this session may access. The workspace is /workspace.",
      metadata: { absolute_path: "/etc/passwd" },
    });
  });

  it("refuses a kind of access that the tool does not declare", async () => {
    const requires = { fs: { read: ["**"] } };
    const options = { manifest: { requires: { fs: { write: ["**"] } } } };
    expect(await touch({ key: "a", mode: "write" }, requires, options)).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
  });

  it("refuses what lies above the host's ceiling", async () => {
    const options = { ceiling: { ...everything, fs: { read: ["docs/**"] } } };
    expect((await touch({ key: "docs/a", mode: "read" }, everything, options)).type).toBe("output");
    expect((await touch({ key: "a", mode: "read" }, everything, options)).type).toBe("error");
  });

  it("refuses what the parent session does not have", async () => {
    const requires = { ...everything, fs: { read: ["docs/**"] } };
    const reader = new MockTool({ name: "reader", requires });
    const parent = startSession(createMemoryComputer(), [reader]);
    const options = { parent: parent.bounds };
    expect((await touch({ key: "docs/a", mode: "read" }, everything, options)).type).toBe("output");
    expect((await touch({ key: "a", mode: "read" }, everything, options)).type).toBe("error");
  });

  it("comes before the rules and the watchdog, which can't undo it", async () => {
    let consulted = 0;
    const options: Partial<SessionOptions> = {
      watchdog: () => {
        consulted++;
        return { action: "allow" };
      },
    };
    await touch({ key: "/etc/passwd", mode: "read" }, everything, options);
    expect(consulted).toBe(0);
  });
});

describe("a requirement with an undefined variable", () => {
  const typo = { fs: { read: ["{workspcae}/**"] } };

  it("disables only the tool that has it", async () => {
    const session = startSession(createMemoryComputer(), [
      new MockTool({ name: "faulty", requires: typo }),
      new MockTool({ name: "sound", requires: everything, output: "ran" }),
    ]);
    expect(await session.call({ name: "faulty" })).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("{workspcae}"),
      metadata: { error_code: "internal" },
    });
    expect(await session.call({ name: "sound" })).toMatchObject({ data: "ran" });
  });

  it("throws as soon as a session is opened with such a manifest", () => {
    const manifest = { requires: typo };
    expect(() => startSession(createMemoryComputer(), [], { manifest })).toThrow("{workspcae}");
  });
});
