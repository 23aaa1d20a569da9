import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codex } from "./support/agents/codex.ts";
import { expectAsked } from "./support/approval.ts";
import { describeAgent } from "./support/describe-agent.ts";

describeAgent(codex);

describe("Codex without --yes", () => {
  it("declines our approval form without a person", async () => {
    const { desk, text } = await expectAsked(codex);
    expect(text).toBe("The user rejected this call of write. It was not run.");
    expect(existsSync(join(desk.workspace, "asked.txt"))).toBe(false);
  });
});
