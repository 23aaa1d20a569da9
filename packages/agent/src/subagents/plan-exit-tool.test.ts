import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError, type ToolResult } from "@haft/contract";
import {
  createRegistry,
  createScriptedHost,
  createSession,
  type Host,
  headlessHost,
} from "@haft/core";
import { describe, expect, it } from "vitest";
import { createPlanExitTool } from "./plan-exit-tool.ts";

async function exit(host: Host, leave?: () => Promise<string>) {
  const left: string[] = [];
  const tool = createPlanExitTool({
    leave:
      leave ??
      (async (_, plan) => {
        left.push(plan);
        return "Build from here on.";
      }),
  });
  const session = createSession({
    registry: createRegistry([tool]),
    computer: createMemoryComputer(),
    host,
  });
  const result: ToolResult = await session.call({
    name: "plan_exit",
    arguments: { plan: "1. Do it." },
  });
  await session.close();
  return { left, result };
}

describe("plan_exit", () => {
  it("leaves plan mode when the person says so", async () => {
    const host = createScriptedHost({ question: () => [["Build it"]] });
    expect(await exit(host)).toMatchObject({
      left: ["1. Do it."],
      result: { data: { approved: true, message: "Build from here on." } },
    });
  });

  it("stays in plan mode when the person does not, and passes on what they say", async () => {
    expect(await exit(createScriptedHost({ question: () => [["Keep planning"]] }))).toMatchObject({
      left: [],
      result: { data: { approved: false, message: "The user wants to keep planning." } },
    });
    expect(await exit(createScriptedHost({ question: () => [["Mind the tests."]] }))).toMatchObject(
      {
        left: [],
        result: { data: { message: expect.stringContaining("Their comment: Mind the tests.") } },
      },
    );
    expect(await exit(createScriptedHost({ question: () => [[]] }))).toMatchObject({ left: [] });
  });

  it("stays in plan mode in a session that is not interactive", async () => {
    expect(await exit(headlessHost)).toMatchObject({
      left: [],
      result: {
        error_text: expect.stringContaining("You stay in plan mode"),
        metadata: { error_code: "headless" },
      },
    });
  });

  it("says so if there is no plan mode to leave", async () => {
    const host = createScriptedHost({ question: () => [["Build it"]] });
    const leave = async (): Promise<string> => {
      throw new ToolError("not-available", "This session does not plan.");
    };
    expect(await exit(host, leave)).toMatchObject({
      result: { error_text: "This session does not plan." },
    });
  });
});
