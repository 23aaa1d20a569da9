import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import { parseRule } from "../rules/rule.ts";
import { startSession } from "../test-support/start-session.ts";
import type { SessionOptions } from "./session-options.ts";

function fileTool(name: string, mode: "read" | "write"): MockTool {
  return new MockTool({
    name,
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    requires: { fs: { read: ["**"], write: ["**"] } },
    execution: { resourceKeys: (args) => [{ key: (args as { path: string }).path, mode }] },
  });
}

const tools = [
  fileTool("read", "read"),
  fileTool("edit", "write"),
  new MockTool({ name: "bash", execution: { serial: true } }),
];

function start(options: Partial<SessionOptions> = {}) {
  return startSession(createMemoryComputer(), tools, options);
}

const request = (id: string, name: string, path: string) => ({ id, name, arguments: { path } });

describe("a plan", () => {
  it("shows [Read A, Read B, Edit A, Read C] in groups, and what really waits for what", async () => {
    const plan = await start().plan([
      request("1", "read", "A"),
      request("2", "read", "B"),
      request("3", "edit", "A"),
      request("4", "read", "C"),
    ]);
    expect(plan).toEqual({
      batches: [
        ["1", "2"],
        ["3", "4"],
      ],
      calls: [
        { id: "1", name: "read", tool: "read", waits_for: [] },
        { id: "2", name: "read", tool: "read", waits_for: [] },
        {
          id: "3",
          name: "edit",
          tool: "edit",
          waits_for: [{ id: "1", why: "one writes and one reads /workspace/A" }],
        },
        { id: "4", name: "read", tool: "read", waits_for: [] },
      ],
    });
  });

  it("names everything that a serial call waits for, and that waits for it", async () => {
    const plan = await start().plan([
      request("1", "read", "A"),
      { id: "2", name: "bash" },
      request("3", "read", "A"),
    ]);
    expect(plan.batches).toEqual([["1"], ["2"], ["3"]]);
    expect(plan.calls.map(({ waits_for }) => waits_for)).toEqual([
      [],
      [{ id: "1", why: "bash runs alone" }],
      [{ id: "2", why: "bash runs alone" }],
    ]);
  });

  it.each<[string, object, string | undefined, string]>([
    ["an unknown tool", { name: "compile" }, undefined, "There is no tool named"],
    ["arguments that do not fit", { name: "edit" }, "edit", "path is missing"],
    ["a path out of reach", { name: "edit", arguments: { path: "/etc/a" } }, "edit", "is outside"],
    ["a rule that denies", { name: "edit", arguments: { path: "no" } }, "edit", "was refused by"],
  ])("says that a call will fail for %s, and no call waits for it", async (...row) => {
    const [, failing, tool, text] = row;
    const session = start({ rules: [parseRule("edit no deny"), parseRule("* * allow")] });
    const plan = await session.plan([
      { id: "1", ...failing } as never,
      request("2", "edit", "no-more"),
    ]);
    expect(plan.batches).toEqual([["2"]]);
    expect(plan.calls[0]?.tool).toBe(tool);
    expect(plan.calls[0]?.error_text).toContain(text);
    expect(plan.calls[1]).toEqual({ id: "2", name: "edit", tool: "edit", waits_for: [] });
  });

  it("runs, asks and records nothing", async () => {
    const recorder = createMemoryRecorder();
    const host = createScriptedHost({ ask: "once" });
    const tool = fileTool("write", "write");
    const session = startSession(createMemoryComputer(), [tool], { recorder, host, rules: [] });
    const plan = await session.plan([request("1", "write", "A")]);
    expect(plan.batches).toEqual([["1"]]);
    expect(tool.callCount).toBe(0);
    expect(host.asked).toEqual([]);
    expect([...recorder.list(session.id)]).toEqual([]);
    await session.close();
  });

  it("gives calls without an id one", async () => {
    const { calls } = await start().plan([{ name: "bash" }, { name: "bash" }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });
});
