import { MockTool } from "@haft/contract/testing";
import { createRegistry } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { generateText, isStepCount } from "ai";
import { describe, expect, it } from "vitest";
import { openAgent } from "../formats/test-support/open-agent.ts";
import { toAiSdkTools, toPrepareStep } from "./index.ts";
import { call, promptOf, scriptMock } from "./test-support/script-mock.ts";

const stopWhen = isStepCount(5);

describe("a step", () => {
  it("has the tools that a search of the one before found", async () => {
    const many = Array.from(
      { length: 600 },
      (_, index) =>
        new MockTool({
          name: `mcp__far__tool_${index}`,
          description: index === 7 ? "Tells the weather of a city." : "Counts sheep.",
          source: "mcp",
          output: () => "Sunny.",
        }),
    );
    const { session } = openAgent({ registry: createRegistry([...builtinTools, ...many]) });
    const tools = toAiSdkTools(session);
    const model = scriptMock([
      [call("1", "tool_search", { query: "weather" })],
      [call("2", "mcp__far__tool_7", {})],
      "Done.",
    ]);
    const prepareStep = toPrepareStep(session, tools);
    await generateText({ model, tools, prepareStep, prompt: "Go.", stopWhen });
    const far = (step: number): string[] =>
      promptOf(model, step)
        .tools.map(({ name }) => name)
        .filter((name) => name.startsWith("mcp__"));
    expect(far(0)).toEqual([]);
    expect(far(1)).toEqual(["mcp__far__tool_7"]);
    expect(promptOf(model, 2).outputs.get("2")).toEqual({ type: "text", value: "Sunny." });
  });

  it("has the tools that came with the one before, and no longer those that went", async () => {
    const registry = createRegistry(builtinTools);
    const { session } = openAgent({ registry });
    const remove = registry.add(new MockTool({ name: "early", source: "module" }));
    session.startStep();
    const swap = new MockTool({
      name: "swap",
      source: "module",
      output: () => {
        registry.add(new MockTool({ name: "late", source: "module", output: () => "Here." }));
        void remove();
        return "Swapped.";
      },
    });
    registry.add(swap);
    session.startStep();
    const own = { description: "Mine.", inputSchema: toAiSdkTools(session).read?.inputSchema };
    const tools: Record<string, never> = { ...toAiSdkTools(session), own } as never;
    const model = scriptMock([[call("1", "swap", {})], [call("2", "late", {})], "Done."]);
    const prepareStep = toPrepareStep(session, tools);
    await generateText({ model, tools, prepareStep, prompt: "Go.", stopWhen });
    const named = (step: number): string[] => promptOf(model, step).tools.map(({ name }) => name);
    expect(named(0)).toEqual(expect.arrayContaining(["early", "swap", "own"]));
    expect(named(0)).not.toContain("late");
    expect(named(1)).toEqual(expect.arrayContaining(["late", "swap", "own"]));
    expect(named(1)).not.toContain("early");
    expect(promptOf(model, 2).outputs.get("2")).toEqual({ type: "text", value: "Here." });
  });
});
