import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { createRegistry, createSession } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { openTestAgent } from "./test-support/open-test-agent.ts";
import { type ScriptedModel, scriptModel } from "./test-support/script-model.ts";

const foreign = Array.from(
  { length: 741 },
  (_, at) =>
    new MockTool({
      name: `mcp__s${at % 10}__job_${at}`,
      description: `Does job ${at} of the many that there are.`,
      source: "mcp",
      output: () => `Done ${at}.`,
    }),
);

function open(model: ScriptedModel) {
  const session = createSession({
    registry: createRegistry([...builtinTools, ...foreign]),
    computer: createMemoryComputer({ files: { "a.txt": "alpha\n" } }),
    rules: [{ permission: "*", pattern: "**", action: "allow" }],
  });
  return openTestAgent(model, { session });
}

function bytesOf({ tools, prompt }: ScriptedModel["requests"][number]) {
  return { tools: JSON.stringify(tools), messages: prompt.map((one) => JSON.stringify(one)) };
}

describe("the requests of a conversation with 741 tools", () => {
  it("begin with the same bytes over 50 turns in which nothing new is searched for", async () => {
    const model = scriptModel((at) =>
      at % 2 === 0
        ? { calls: [{ id: `c${at}`, name: "read", input: { path: "a.txt" } }] }
        : { text: `Read ${at}.` },
    );
    const { prompt } = open(model);
    for (let turn = 0; turn < 50; turn++) await prompt(`Read it, ${turn}.`);
    const sent = model.requests.map(bytesOf);
    expect(sent).toHaveLength(100);
    for (const [at, { tools, messages }] of sent.entries()) {
      const before = sent[at - 1] ?? { tools, messages: [] };
      expect(tools).toBe(before.tools);
      expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
    expect(sent[0]?.tools).not.toContain("mcp__");
  });

  it("have another tool once it was searched for, and from then on", async () => {
    const model = scriptModel([
      { calls: [{ id: "c1", name: "tool_search", input: { query: "select:mcp__s7__job_7" } }] },
      { calls: [{ id: "c2", name: "mcp__s7__job_7", input: {} }] },
      { text: "Done." },
      { text: "Nothing to do." },
    ]);
    const { prompt } = open(model);
    await prompt("Do job 7.");
    await prompt("And now?");
    const [first, ...others] = model.requests.map(bytesOf);
    expect(first?.tools).not.toContain("mcp__s7__job_7");
    expect(others).toHaveLength(3);
    expect(others[0]?.tools).toContain("mcp__s7__job_7");
    expect(new Set(others.map(({ tools }) => tools)).size).toBe(1);
  });
});
