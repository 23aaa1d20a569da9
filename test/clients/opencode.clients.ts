import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { opencode } from "./support/agents/opencode.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";

describeAgent(opencode);

describe("opencode without --yes", () => {
  it("shows no form, so its model learns that the call waits in the inbox", async () => {
    const { desk, text } = await expectAsked(opencode);
    expect(text).toMatch(/get_tool_call_status and id [0-9a-f]{32}\./u);
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });
});
