import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace } from "./support/open-place.ts";

describe("a talk that gets too long for the model", () => {
  it("is summarized, and continues from the summary", async () => {
    const { agent, model } = await openPlace(
      ({ toolNames, lastText }) => {
        if (toolNames.length === 0) return say("They counted to six thousand.");
        return lastText.endsWith("count") ? call("bash", { command: "seq 6000" }) : say("Done.");
      },
      { ".haft/settings.json": '{ "contextTokens": 16000 }' },
    );
    const { code, events } = await agent(["--yes", "--session", "s", "count"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "compaction")).toMatchObject([
      { summary: expect.stringContaining("They counted to six thousand.") },
    ]);
    expect(endOf(events).text).toBe("Done.");
    const last = model.requests.at(-1);
    expect(last?.messages[0]?.text).toContain("They counted to six thousand.");
    expect(last?.messages.map(({ role }) => role)).not.toContain("tool");
    const next = await agent(["--session", "s", "and?"]);
    expect(next.code).toBe(0);
    expect(model.requests.at(-1)?.lastText).toContain("and?");
  });

  it("that the provider refuses is sent again with less", async () => {
    let refused = 0;
    const { agent } = await openPlace(({ toolNames, body, lastText }) => {
      if (toolNames.length === 0) return say("They counted.");
      if (lastText.endsWith("count")) return call("bash", { command: "seq 6000" });
      if (JSON.stringify(body.messages).length < 30_000) return say("Done.");
      refused++;
      const message = "This model's maximum context length is 8192 tokens.";
      return { status: 400, error: { error: { message, code: "context_length_exceeded" } } };
    });
    const { code, events } = await agent(["--yes", "count"]);
    expect(refused).toBeGreaterThan(0);
    expect(code).toBe(0);
    expect(endOf(events).text).toBe("Done.");
  });
});
