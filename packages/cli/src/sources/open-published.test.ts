import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

// 004:159-174, word for word.
const example = `{
  "type": "action",
  "name": "customer_support",
  "action_tool_call_specs": [
    {
      "tool_id": "670a1234567890abcdef1234",
      "version_constraint": ">=1.0.0",
      "additional_instruction": "Search the knowledge base for relevant articles",
      "audio_fillers": ["Let me search for that..."],
      "audio_filler_triggered_after": 2.0,
      "result_persistence": "persisted-preferred"
    }
  ]
}`;

describe("a file for --published", () => {
  it.each([
    ["one state by itself", example, /Nothing answers|does not respond|can't be reached/u],
    ["an unknown mode", '{"states": [], "mode": "real"}', /mode is "real". Use regular or/u],
    ["a text", '"states"', /must hold an object or a list/u],
  ])("with %s is read", async (_, content, answer) => {
    const { haft } = createTestWorkspace({ "published.json": content });
    const { stderr } = await haft(["tools", "--published", "published.json"], {
      // No platform answers there, so a valid file gets as far as that.
      environment: { HAFT_URL: "http://127.0.0.1:1", HAFT_API_KEY: "key" },
    });
    expect(stderr).toMatch(answer);
  });

  it("is what --simulate needs", async () => {
    const { haft } = createTestWorkspace();
    expect(await haft(["tools", "--simulate"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Add --published FILE."),
    });
  });
});
