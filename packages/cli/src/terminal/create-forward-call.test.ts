import { describe, expect, it } from "vitest";
import { createForwardCall } from "./create-forward-call.ts";

// 004:109
describe("forward_call of haft agent", () => {
  const request = { destination: "support\u001b[2J", reason: "The user\nasked." };
  const { signal } = new AbortController();

  it("shows in the terminal who takes over, in one harmless line", async () => {
    const shown: string[] = [];
    const forward = createForwardCall(
      { headless: false },
      { error: (text) => void shown.push(text) },
    );
    expect(await forward(request, { signal })).toContain("takes over. End your turn.");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/^The agent hands this conversation over to support[^\n]+asked\.\n$/u);
    expect(shown[0]).not.toContain("\u001b");
  });

  it("refuses without a terminal", async () => {
    const forward = createForwardCall({ headless: true }, { error: expect.unreachable });
    await expect(forward(request, { signal })).rejects.toMatchObject({
      code: "headless",
      message: expect.stringContaining("this session has no terminal"),
    });
  });
});
