import { describe, expect, it } from "vitest";
import { calls, say } from "./support/model-server.ts";
import { eventsOf, openPlace } from "./support/open-place.ts";

const graph = {
  initial: "look",
  states: [
    { type: "action", name: "look", objective: "Find it.", next: ["change"], tools: ["read"] },
    { type: "decision", name: "change", objective: "Fix it.", next: ["look"], tools: ["edit"] },
  ],
};
const edit = { path: "a.txt", old_string: "one", new_string: "two" };

describe("a graph of states", () => {
  it("shows the tools of its state in each request, and refuses other calls", async () => {
    const { agent, model, read } = await openPlace(
      [
        // What is called beside the change of state is held against what this request was shown.
        calls([
          ["enter_state", { state: "change" }],
          ["edit", edit],
        ]),
        calls([
          ["edit", edit],
          ["read", { path: "a.txt" }],
        ]),
        say("Fixed."),
      ],
      { "a.txt": "one\n", "graph.json": JSON.stringify(graph) },
    );
    const { code, events } = await agent(["--yes", "--published", "graph.json", "fix it"]);
    expect(code).toBe(0);
    const [first, second] = model.requests;
    expect(first?.toolNames.toSorted()).toEqual(["enter_state", "read"]);
    expect(first?.system).toContain("Find it.");
    expect(second?.toolNames.toSorted()).toEqual(["edit", "enter_state"]);
    expect(second?.system).toContain("Fix it.");
    const outcomes = eventsOf(events, "tool-result").map(({ name, result }) => [name, result.type]);
    expect(outcomes).toEqual(
      expect.arrayContaining([
        ["enter_state", "output"],
        ["edit", "error"],
        ["edit", "output"],
        ["read", "error"],
      ]),
    );
    expect(read("a.txt")).toBe("two\n");
  });

  it("that leads nowhere is reported before the first request", async () => {
    const { agent, model } = await openPlace([], {
      "graph.json": JSON.stringify({ ...graph, initial: "lok" }),
    });
    const { code, stderr } = await agent(["--published", "graph.json", "fix it"]);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "look"?');
    expect(model.requestCount).toBe(0);
  });
});
