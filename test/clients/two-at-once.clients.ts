import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "./model/scripted-model.ts";
import type { Agent } from "./support/agents/agent.ts";
import { claude } from "./support/agents/claude.ts";
import { codex } from "./support/agents/codex.ts";
import { gemini } from "./support/agents/gemini.ts";
import { opencode } from "./support/agents/opencode.ts";
import { prompt } from "./support/describe-agent.ts";
import { createInstalled, install } from "./support/install.ts";

describe("Two agents at once in one workspace", () => {
  it.each<{ first: Agent; second: Agent }>([
    { first: claude, second: codex },
    { first: codex, second: gemini },
    { first: gemini, second: opencode },
    { first: claude, second: claude },
  ])("undo only their own changes: $first.title and $second.title", async ({ first, second }) => {
    const { desk } = await createInstalled(first, "--dialect", "portable");
    if (second !== first) await install(second, desk, "--dialect", "portable");
    const firstWrote = Promise.withResolvers<void>();
    const secondWrote = Promise.withResolvers<void>();
    const firstUndid = Promise.withResolvers<void>();
    const call = (agent: Agent, tool: string, given = {}) => ({
      name: agent.nameOf(tool),
      arguments: given,
    });
    const one = await startScriptedModel([
      {
        ...call(first, "write", { path: "one.txt", content: "one\n" }),
        onResult: firstWrote.resolve,
      },
      { ...call(first, "undo_edit"), after: secondWrote.promise },
      { ...call(first, "undo_edit"), onResult: firstUndid.resolve },
    ]);
    const two = await startScriptedModel([
      {
        ...call(second, "write", { path: "two.txt", content: "two\n" }),
        after: firstWrote.promise,
        onResult: secondWrote.resolve,
      },
      { ...call(second, "read", { path: "two.txt" }), after: firstUndid.promise },
    ]);
    await Promise.all([prompt(first, desk, one), prompt(second, desk, two)]);
    expect(one.results[1]).toContain("one.txt");
    expect(one.results[2]).toContain("Nothing to undo");
    expect(two.results[1]).toContain("1: two");
    expect(existsSync(join(desk.workspace, "one.txt"))).toBe(false);
    expect(desk.read("two.txt")).toBe("two\n");
  });
});
