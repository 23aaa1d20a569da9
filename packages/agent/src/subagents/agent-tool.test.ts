import { describe, expect, it } from "vitest";
import { linesOf, scriptModel } from "../loop/test-support/script-model.ts";
import { makeManifest, openTestAgents } from "./test-support/open-test-agents.ts";

const finder = makeManifest("finder", { tools: ["read", "grep"] });

describe("an agent called as a tool", () => {
  it("gets the task and what it should know", async () => {
    const model = scriptModel([{ text: "Here." }]);
    const { session } = openTestAgents({ manifests: [finder], model: () => model });
    const result = await session.call({
      name: "finder",
      arguments: { task: "Where is x?", context: "It was in y." },
    });
    expect(result).toMatchObject({ data: { agent: "finder", text: "Here." } });
    expect(linesOf(model.requests[0])).toContain(
      "user: Where is x?\n\nWhat you should know:\nIt was in y.",
    );
  });

  it("says so if there is no such agent", async () => {
    const { session } = openTestAgents({ manifests: [finder], model: () => scriptModel([]) });
    expect(await session.call({ name: "oracle", arguments: { task: "Why?" } })).toMatchObject({
      metadata: { error_code: "not-found" },
    });
  });
});
