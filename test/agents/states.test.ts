import { describe, expect, it } from "vitest";
import { idOf, startFakePlatform } from "./support/fake-platform.ts";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace } from "./support/open-place.ts";

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

describe("a graph with published tools", () => {
  const spec = (name: string): object => ({ tool_id: idOf(name) });
  const support = {
    initial: "support",
    mode: "regular",
    states: [
      {
        type: "action",
        name: "support",
        next: ["choose"],
        action_tool_call_specs: [spec("orders")],
        exit_condition_tool_call_specs: [{ ...spec("judge"), result_persistence: "ephemeral" }],
      },
      { type: "decision", name: "choose", next: ["support"], tool_call_specs: [spec("prices")] },
    ],
  };
  const system = ["forward_call", "get_tool_call_status"];

  // 004:33-36, 104, 109, 114, 150
  it("is judged before a turn ends, sends its conversation, and goes on where its session was", async () => {
    const platform = await startFakePlatform(["orders", "judge", "prices"]);
    const { agent, model } = await openPlace(
      [
        call("orders", {}),
        say("Your order is late."),
        call("judge", {}),
        call("enter_state", { state: "choose" }),
        say("What else?"),
        // The second run.
        call("prices", {}),
        call("forward_call", { destination: "sales" }),
        call("enter_state", { state: "support" }),
        say("Sales knows."),
        say("It can't be left yet."),
      ],
      { "support.json": JSON.stringify(support) },
    );
    const run = (...args: readonly string[]) =>
      agent(["--yes", "--session", "s", "--published", "support.json", ...args], {
        environment: { HAFT_URL: platform.url, HAFT_API_KEY: "key" },
      });
    const tools = (at: number) => model.requests[at]?.toolNames.toSorted();

    const first = await run("--simulate", "where is it?");
    expect([first.code, endOf(first.events)]).toMatchObject([0, { text: "What else?", steps: 5 }]);
    expect(tools(1)).toEqual(["enter_state", ...system, "orders"]);
    expect(tools(2)).toEqual(["enter_state", ...system, "judge"]);
    expect(model.requests[2]?.lastText).toContain('Judge whether the state "support" can be left.');
    expect(tools(4)).toEqual(["enter_state", ...system, "prices"]);

    const second = await run("what does it cost?");
    expect(tools(5)).toEqual(tools(4));
    const results = model.requests[5]?.messages.flatMap((message) => message.results ?? []) ?? [];
    expect(results.map(({ text }) => text)).toContain("orders done");
    expect(results.map(({ text }) => text)).not.toContain("judge done");
    expect([second.code, endOf(second.events)]).toMatchObject([0, { text: "Sales knows." }]);
    expect(tools(9)).toEqual(tools(2));
    const forwarded = eventsOf(second.events, "tool-result").find(
      ({ name }) => name === "forward_call",
    );
    expect(forwarded?.result).toMatchObject({
      error_text: expect.stringContaining("was not handed over"),
      metadata: { error_code: "headless" },
    });

    expect(platform.invoked).toEqual(["orders", "judge", "prices"]);
    const machine = { current_state_machine_and_version: ["support", 1] };
    const sent = (mode: string, metadata: object): object => ({
      inputs: [expect.objectContaining({ invocation_mode: mode })],
      source: {
        type: "regular-conversation",
        user_id: "user",
        conversation_id: expect.any(String),
        interaction_id: expect.any(String),
        invocation_metadata: { ...machine, ...metadata },
      },
    });
    const change = { type: "state-transition", state_transition_index: 0 };
    expect(platform.bodies).toEqual([
      sent("conversation-simulation", { type: "engage-user", tool_call_round_index: 0 }),
      sent("conversation-simulation", {
        ...change,
        ...{ state_name: "support", tool_call_round_index: 2 },
      }),
      sent("regular", { ...change, state_name: "choose", tool_call_round_index: 0 }),
    ]);
    const ids = (field: string) =>
      platform.bodies.map(({ source }) => (source as Readonly<Record<string, unknown>>)[field]);
    expect(new Set(ids("conversation_id")).size).toBe(1);
    const [one, same, other] = ids("interaction_id");
    expect([one === same, one === other]).toEqual([true, false]);
  });
});
