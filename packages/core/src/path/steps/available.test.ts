import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../registry/registry.ts";
import { startSession } from "../../test-support/start-session.ts";

describe("available", () => {
  it("keeps a tool that was added meanwhile for the next step", async () => {
    const registry = createRegistry();
    const session = startSession(createMemoryComputer(), [], { registry });
    registry.add(new MockTool({ name: "late" }));
    expect(await session.call({ name: "late" })).toMatchObject({
      error_text: "late is not available in this step. Use one of the tools you were given.",
      metadata: { error_code: "not-available" },
    });
    session.startStep();
    expect(await session.call({ name: "late" })).toMatchObject({ type: "output" });
  });

  it("keeps a tool that was replaced meanwhile for the next step", async () => {
    const registry = createRegistry();
    const removeOld = registry.add(new MockTool({ name: "tool", output: "old" }));
    const session = startSession(createMemoryComputer(), [], { registry });
    void removeOld();
    registry.add(new MockTool({ name: "tool", output: "new" }));
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text:
        "tool changed after this step began. It is available again from the next step on.",
      metadata: { error_code: "not-available" },
    });
    session.startStep();
    expect(await session.call({ name: "tool" })).toMatchObject({ data: "new" });
  });

  it("judges a turn by the tools it started with, not by other sessions' turns", async () => {
    const registry = createRegistry();
    const first = startSession(createMemoryComputer(), [], { registry });
    registry.add(new MockTool({ name: "late" }));
    const second = startSession(createMemoryComputer(), [], { registry });
    expect(await second.call({ name: "late" })).toMatchObject({ type: "output" });
    expect(await first.call({ name: "late" })).toMatchObject({ type: "error" });
  });

  it("leaves out what the mode leaves out", async () => {
    const tools = [new MockTool({ name: "a" }), new MockTool({ name: "b" })];
    const session = startSession(createMemoryComputer(), tools, { mode: { includeTools: ["a"] } });
    expect(await session.call({ name: "a" })).toMatchObject({ type: "output" });
    expect(await session.call({ name: "b" })).toMatchObject({
      metadata: { error_code: "not-available" },
    });
  });
});
