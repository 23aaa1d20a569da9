import { createMemoryComputer } from "@haft/computer/memory";
import type { ResourceKey } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { parseRule } from "../rules/rule.ts";
import { readPlainCommands } from "../test-support/plain-commands.ts";
import { startSession } from "../test-support/start-session.ts";
import type { Session } from "./session.ts";

const text = { type: "string" } as const;

function open(rules: readonly string[]): Session {
  const bash = new MockTool({
    name: "bash",
    parameters: { type: "object", properties: { command: text }, required: ["command"] },
    requires: { shell: [{ cmd: "*" }] },
    execution: {
      resourceKeys: (args): ResourceKey[] => [
        { type: "command", key: (args as { command: string }).command, mode: "write" },
      ],
    },
  });
  const write = new MockTool({
    name: "write",
    parameters: { type: "object", properties: { path: text }, required: ["path"] },
    requires: { fs: { write: ["{workspace}/**"] } },
    execution: {
      resourceKeys: (args): ResourceKey[] => [
        { type: "file", key: (args as { path: string }).path, mode: "write" },
      ],
    },
  });
  const computer = readPlainCommands(createMemoryComputer());
  return startSession(computer, [bash, write], {
    rules: rules.map(parseRule),
    watchdog: (call) =>
      call.tool === "write" ? { action: "ask", reason: "It writes." } : { action: "allow" },
  });
}

const stored = ["bash git allow", "bash git push ask", "write docs/** deny", "write src/** allow"];
const added = [
  ["bash git push allow"],
  ["bash git push deny"],
  ["bash make allow"],
  ["bash make allow", "bash git push origin allow"],
  ["write docs/a allow"],
  ["write .git/config allow"],
  ["fs.write ** deny"],
  ["* * ask"],
];
const calls = [
  ...["git log", "git push origin", "git push", "make", "make; git push", "ls"].map((command) => ({
    name: "bash",
    arguments: { command },
  })),
  ...["docs/a", "src/a", "b", ".git/config", "/elsewhere"].map((path) => ({
    name: "write",
    arguments: { path },
  })),
  { name: "write", arguments: {} },
  { name: "nothing", arguments: {} },
];

describe("comparing verdicts", () => {
  it.each(added)("agrees with two sessions about %s", async (...rules) => {
    const [before, after] = [open(stored), open([...stored, ...rules])];
    const compare = before.compare(rules.map(parseRule));
    for (const call of calls) {
      const [one, other] = [await before.judge(call), await after.judge(call)];
      const compared = (await compare(call)) ?? { before: one, after: one };
      const actions = [compared.before.action, compared.after.action];
      expect([call, ...actions]).toEqual([call, one.action, other.action]);
    }
  });

  it("leaves out what the rules say nothing about", async () => {
    const compare = open(stored).compare([parseRule("bash make allow")]);
    const [other, own] = ["git push", "make"].map((command) => ({
      name: "bash",
      arguments: { command },
    }));
    expect(await compare(other as never)).toBeUndefined();
    expect(await compare(own as never)).toMatchObject({
      before: { action: "ask" },
      after: { action: "allow", rule: "bash make allow" },
    });
  });
});
