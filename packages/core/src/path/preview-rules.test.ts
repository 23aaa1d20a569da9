import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { RulePreview } from "../hosts/host.ts";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { parseRule } from "../rules/rule.ts";
import { startSession } from "../test-support/start-session.ts";

function open() {
  const write = new MockTool({
    name: "write",
    requires: { fs: { write: ["**"] } },
    execution: {
      resourceKeys: (args) => [{ key: (args as { path: string }).path, mode: "write" }],
    },
  });
  const previews: RulePreview[] = [];
  const host = createScriptedHost({
    ask: async ({ wouldAllow }) => {
      previews.push(await wouldAllow());
      return { answer: "once" };
    },
  });
  const rules = ["write known/** allow"].map(parseRule);
  const session = startSession(createMemoryComputer(), [write], { host, rules });
  const call = (path: string) => session.call({ name: "write", arguments: { path } });
  return { previews, call };
}

describe("the preview of a rule", () => {
  it("tells which calls so far it would have let through unasked", async () => {
    const { previews, call } = open();
    for (const path of ["a", "known/a", "b", "a"]) await call(path);
    expect(previews).toEqual([
      { calls: 0, count: 0, examples: [] },
      { calls: 2, count: 0, examples: [] },
      { calls: 3, count: 1, examples: ['write {"path":"a"}'] },
    ]);
  });

  it("stores the rules that the person made of those proposed", async () => {
    const computer = createMemoryComputer();
    const tool = new MockTool({ name: "tool" });
    const rules = [parseRule("tool x allow")];
    const host = createScriptedHost({ ask: () => ({ answer: "project", rules }) });
    await startSession(computer, [tool], { host, rules: [] }).call({ name: "tool" });
    expect(computer.openSession("default").rules.list("project")).toEqual(rules);
  });
});
