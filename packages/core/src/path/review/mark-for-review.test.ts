import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../../hosts/scripted-host.ts";
import type { Manifest } from "../../session/manifest.ts";
import { readPlainCommands } from "../../test-support/plain-commands.ts";
import { startSession } from "../../test-support/start-session.ts";

async function judge(manifest: Manifest): Promise<{ action: string; stage: string }> {
  const bash = new MockTool({
    name: "bash",
    source: "builtin",
    requires: { fs: { write: ["{workspace}/**"] }, shell: [{ cmd: "*" }] },
    execution: { resourceKeys: () => [{ type: "command", key: "make", mode: "write" }] },
  });
  const computer = { ...readPlainCommands(createMemoryComputer()), canReview: async () => true };
  const host = createScriptedHost();
  const session = startSession(computer, [bash], { rules: [], host, manifest });
  const { action, stage } = await session.judge({ name: "bash" });
  return { action, stage };
}

describe("markForReview", () => {
  it("lets a command run first that can change only the workspace", async () => {
    const reviewed = { action: "allow", stage: "review" };
    expect(await judge({})).toEqual(reviewed);
    expect(await judge({ roots: ["/library"] })).toEqual(reviewed);
  });

  it("has a command asked about that may write elsewhere, where no layer lies", async () => {
    const requires = { fs: { write: ["/elsewhere/**"] } };
    expect(await judge({ requires })).toEqual({ action: "ask", stage: "none" });
  });
});
