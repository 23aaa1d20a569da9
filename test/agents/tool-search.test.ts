import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { eventsOf, openPlace } from "./support/open-place.ts";

const server = join(import.meta.dirname, "support/thirty-tools.mjs");
const weigh = "mcp__zoo__weigh_elephants";

describe("the many tools of an MCP server", () => {
  it("stay out of sight until the model searches; what it finds is in the next request", async () => {
    const { agent, haft, model } = await openPlace([
      call("tool_search", { query: "weigh elephants" }),
      call(weigh, { of: "Jumbo" }),
      say("Five tons."),
    ]);
    const added = await haft([
      ...["mcp", "add", "zoo", "--yes", "--sandbox", "off", "--"],
      ...[process.execPath, server],
    ]);
    expect(added, added.stderr).toMatchObject({ code: 0 });
    const { code, events } = await agent([
      ...["--yes", "--max-definition-tokens", "1000"],
      "how heavy is Jumbo?",
    ]);
    expect(code).toBe(0);
    const [first, second, third] = model.requests;
    expect(first?.toolNames).toContain("tool_search");
    expect(first?.toolNames.filter((name) => name.startsWith("mcp__"))).toEqual([]);
    expect(second?.toolNames).toContain(weigh);
    expect(second?.toolNames.filter((name) => name.startsWith("mcp__")).length).toBeLessThan(11);
    expect(third?.lastText).toContain("weigh_elephants of Jumbo: 5 tons");
    expect(eventsOf(events, "tool-result").map(({ result }) => result.type)).toEqual([
      "output",
      "output",
    ]);
  });
});
