import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "./support/agents/claude.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";
import { type Desk, haftProgram } from "./support/desk.ts";
import { writeSettings } from "./support/install.ts";
import type { Ran } from "./support/run-program.ts";

describeAgent(claude);

describe("Claude Code without --yes", () => {
  it("cancels our approval form without a person, and the call waits in the inbox", async () => {
    const { desk, text } = await expectAsked(claude);
    expect(text).toMatch(/^write has not run yet.*\n.*get_tool_call_status and id [0-9a-f]{32}\./u);
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });

  it("answers our approval form with what a person answers in the inbox", async () => {
    let answering: Promise<unknown> | undefined;
    const { desk, text } = await expectAsked(claude, (at) => {
      const command = `${process.execPath} ${haftProgram} hooks elicitation`;
      const hook = { type: "command", command, timeout: 60 };
      const hooks = { Elicitation: [{ hooks: [hook] }] };
      writeSettings(at, claude.settings, JSON.stringify({ hooks }));
      answering = answerWhenAsked(at);
    });
    expect(await answering).toMatchObject({ exitCode: 0 });
    expect(text).toContain("asked.txt");
    expect(desk.read("asked.txt")).toBe("written\n");
  });

  it("answers our approval form with any Elicitation hook", async () => {
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

async function answerWhenAsked(desk: Desk): Promise<Ran> {
  for (;;) {
    const { stdout } = await desk.haft("inbox", "--json");
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly id: string }[] };
    if (items[0] !== undefined) return desk.haft("inbox", "answer", items[0].id, "once");
  }
}
