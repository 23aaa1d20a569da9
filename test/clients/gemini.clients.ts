import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gemini } from "./support/agents/gemini.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";

describeAgent(gemini);

describe("Gemini CLI without --yes", () => {
  it("shows no form, so its model learns that the call waits in the inbox", async () => {
    const { desk, text } = await expectAsked(gemini);
    expect(text).toMatch(/get_tool_call_status and id [0-9a-f]{32}\./u);
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });
});
