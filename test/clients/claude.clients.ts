import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "./support/agents/claude.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";
import { writeSettings } from "./support/install.ts";

describeAgent(claude);

describe("Claude Code without --yes", () => {
  it("cancels our approval form without a person", async () => {
    const { desk, text } = await expectAsked(claude);
    expect(text).toBe("The user was asked to approve this and did not decide.");
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });

  it("answers our approval form with its Elicitation hook", async () => {
    const { desk, text } = await expectAsked(claude, (at) => {
      const hookSpecificOutput = {
        hookEventName: "Elicitation",
        action: "accept",
        content: { decision: "once" },
      };
      const command = `echo '${JSON.stringify({ hookSpecificOutput })}'`;
      const hooks = { Elicitation: [{ hooks: [{ type: "command", command }] }] };
      writeSettings(at, claude.settings, JSON.stringify({ hooks }));
    });
    expect(text).toContain("asked.txt");
    expect(desk.read("asked.txt")).toBe("written\n");
  });
});
