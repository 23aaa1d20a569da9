import { createMemoryComputer } from "@haft/computer/memory";
import type { ResultPersistence } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { startSession } from "../../test-support/start-session.ts";

function call(persistence: ResultPersistence | undefined, output: unknown): Promise<unknown> {
  const declared = persistence === undefined ? {} : { persistence };
  const tool = new MockTool({ name: "lookup", source: "published", output, ...declared });
  return startSession(createMemoryComputer(), [tool]).call({ name: "lookup" });
}

describe("persist", () => {
  it.each<[ResultPersistence, number, string]>([
    ["ephemeral", 1, "ephemeral"],
    ["ephemeral", 5_001, "ephemeral"],
    ["persisted-preferred", 5_000, "persisted"],
    ["persisted-preferred", 5_001, "ephemeral"],
    ["persisted", 5_000, "persisted"],
  ])("%s with %i characters is %s", async (persistence, length, expected) => {
    const output = "x".repeat(length);
    expect(await call(persistence, output)).toMatchObject({
      data: output,
      metadata: { persistence: expected },
    });
  });

  it("refuses what is to stay and is too long to", async () => {
    expect(await call("persisted", "x".repeat(5_001))).toMatchObject({
      error_text: expect.stringContaining("lookup returned 5001 characters"),
      metadata: { error_code: "too-large", persistence: "ephemeral" },
    });
  });

  it("counts characters, not what they are made of", async () => {
    expect(await call("persisted", "😀".repeat(5_000))).toMatchObject({
      metadata: { persistence: "persisted" },
    });
    expect(await call("persisted", "😀".repeat(5_001))).toMatchObject({ type: "error" });
  });

  it("counts data as the JSON that it is shown as", async () => {
    expect(await call("persisted", { text: "x".repeat(4_989) })).toMatchObject({
      metadata: { persistence: "persisted" },
    });
    expect(await call("persisted", { text: "x".repeat(4_990) })).toMatchObject({ type: "error" });
  });

  it("says nothing of tools that declare nothing", async () => {
    expect(await call(undefined, "x")).not.toHaveProperty("metadata.persistence");
  });
});
