import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gemini } from "./support/agents/gemini.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";

describeAgent(gemini);

describe("Gemini CLI without --yes", () => {
  it("shows no form, so its model learns which rule would allow the call", async () => {
    const { desk, text } = await expectAsked(gemini);
    expect(text).toContain("this call needs approval, and this session is not interactive.");
    expect(text).toContain("To allow it, add the rule: write asked.txt allow");
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });
});
