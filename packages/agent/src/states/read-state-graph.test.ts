import { describe, expect, it } from "vitest";
import { isStateGraph, readStateGraph } from "./read-state-graph.ts";

const tool_id = "a".repeat(24);

describe("readStateGraph", () => {
  it("reads every kind of state", () => {
    const { initial, states, warnings } = readStateGraph({
      initial: "greet",
      states: [
        {
          type: "action",
          name: "greet",
          objective: "Be kind.",
          instructions: "Say hello.",
          next: ["decide", "decide"],
          tools: ["read"],
          action_tool_call_specs: [{ tool_id }],
          exit_condition_tool_call_specs: [],
        },
        { type: "decision", name: "decide", tool_call_specs: [{ tool_id }], next: ["book"] },
        { type: "tool-call", name: "book", tool_id, next: ["look"] },
        { type: "tool-call", name: "look", tool_id: "grep", next: ["think"] },
        { type: "reflection", name: "think" },
      ],
    });
    expect([initial, [...states.keys()], warnings]).toEqual([
      "greet",
      ["greet", "decide", "book", "look", "think"],
      [],
    ]);
    expect(states.get("greet")).toMatchObject({ next: ["decide"], tools: ["read"] });
    expect(states.get("book")?.conversation).toEqual({
      type: "tool-call",
      name: "book",
      tool_call_specs: [{ tool_id }],
    });
    expect(states.get("look")).toMatchObject({
      tools: ["grep"],
      conversation: { type: "tool-call", name: "look" },
    });
  });

  it("lists the tool of a tool-call state once", () => {
    const spec = { tool_id, version_constraint: ">=2" };
    const { states } = readStateGraph({
      initial: "a",
      states: [{ type: "tool-call", name: "a", tool_id, tool_call_specs: [spec] }],
    });
    expect(states.get("a")?.conversation).toMatchObject({ tool_call_specs: [spec] });
  });

  it("warns about unreachable states and unknown fields", () => {
    const { warnings } = readStateGraph({
      initial: "a",
      states: [
        { type: "action", name: "a", nxt: ["b"] },
        { type: "action", name: "b", next: ["c"] },
        { type: "action", name: "c", next: ["b"] },
      ],
    });
    expect(warnings).toEqual([
      "states[0]: unknown fields are ignored: nxt.",
      'The state "b" can\'t be reached: no next leads to it.',
      'The state "c" can\'t be reached: no next leads to it.',
    ]);
  });

  const a = { type: "action", name: "a" };
  const one = (state: object): object => ({ initial: "a", states: [{ ...a, ...state }] });
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "A state graph must be an object such as"],
    ["a list", [a], "A state graph must be an object such as"],
    ["no states", { initial: "a" }, "states must be a list of at least one state."],
    ["an empty list", { initial: "a", states: [] }, "states must be a list of at least one state."],
    ["no initial", { states: [a] }, "initial is missing: name the state to start in. States: a."],
    [
      "an initial that is none",
      { initial: 5, states: [a] },
      "initial: there is no state 5. States: a.",
    ],
    [
      "an unknown initial",
      { initial: "begn", states: [{ ...a, name: "begin" }] },
      'initial: there is no state "begn". Did you mean "begin"? States: begin.',
    ],
    ["an unknown next", one({ next: ["b"] }), 'states[0].next[0]: there is no state "b".'],
    ["a next that is no list", one({ next: "a" }), "states[0].next must be a list of names."],
    ["tools that are no names", one({ tools: [1] }), "states[0].tools must be a list of names."],
    [
      "an objective that is no text",
      one({ objective: {} }),
      "states[0].objective must be a string.",
    ],
    [
      "a state that must be an object",
      { initial: "a", states: [a, "b"] },
      "states[1] must be an object.",
    ],
    [
      "an unknown type",
      one({ type: "toString" }),
      "states[0].type must be one of action, decision",
    ],
    ["no name", one({ name: "" }), "states[0] needs a name."],
    ["a name in two lines", one({ name: "a\nb" }), "states[0].name must be one line"],
    ["two of a name", { initial: "a", states: [a, a] }, 'Two states are named "a".'],
    [
      "specs in the wrong list",
      one({ tool_call_specs: [] }),
      "states[0].tool_call_specs: in a state of type action it is action_tool_call_specs and exit_condition_tool_call_specs.",
    ],
    [
      "a tool for another kind of state",
      one({ tool_id }),
      "states[0].tool_id: only a state of type tool-call has a tool_id.",
    ],
    [
      "a broken spec",
      one({ action_tool_call_specs: [{ tool_id: "x" }] }),
      "states[0].action_tool_call_specs[0].tool_id must be the id of a tool",
    ],
    [
      "specs that are no list",
      one({ type: "tool-call", tool_id, tool_call_specs: {} }),
      "states[0].tool_call_specs must be a list.",
    ],
    [
      "a spec that is nothing",
      one({ type: "tool-call", tool_id, tool_call_specs: [null] }),
      "states[0].tool_call_specs[1] must be an object.",
    ],
  ])("refuses %s", (_, value, sentence) => {
    expect(() => readStateGraph(value)).toThrow(TypeError);
    expect(() => readStateGraph(value)).toThrow(sentence);
  });
});

describe("isStateGraph", () => {
  it.each<[unknown, boolean]>([
    [{ initial: "a", states: [] }, true],
    [{ initial: "a" }, true],
    [{ states: [{ type: "action", name: "a", next: [] }] }, true],
    [{ states: [{ type: "action", name: "a" }], state: "a" }, false],
    [{ states: [{ tool_id }] }, false],
    [[{ tool_id }], false],
    [{ states: [null, 5] }, false],
    [null, false],
    ["initial", false],
  ])("of %j is %j", (value, is) => {
    expect(isStateGraph(value)).toBe(is);
  });
});
