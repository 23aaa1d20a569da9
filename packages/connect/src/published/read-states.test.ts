import { describe, expect, it } from "vitest";
import { readStates } from "./read-states.ts";
import { specsOf } from "./tool-call-spec.ts";

const tool_id = "a".repeat(24);

describe("readStates", () => {
  it("treats a list of specs as one state", () => {
    const [state, ...others] = readStates([{ tool_id, result_persistence: "ephemeral" }]);
    expect(others).toEqual([]);
    expect(state).toMatchObject({ name: "default" });
    expect(state && specsOf(state)).toEqual([{ tool_id, result_persistence: "ephemeral" }]);
  });

  it.each<[unknown, string]>([
    [{}, "States must be a list of states or of tool-call specs."],
    [[{ name: "x" }], "states[0].type must be one of action, decision, reflection, tool-call."],
    [[{ type: "action" }], "states[0] needs a name."],
    [
      [{ type: "decision", name: "x", tool_call_specs: [{}] }],
      "states[0].tool_call_specs[0].tool_id must be the id of a tool: 24 hexadecimal digits.",
    ],
    [
      [{ tool_id, result_persistence: "forever" }],
      "states[0].action_tool_call_specs[0].result_persistence must be one of ephemeral, persisted-preferred, persisted.",
    ],
    [
      [{ tool_id, audio_filler_triggered_after: "2" }],
      "states[0].action_tool_call_specs[0].audio_filler_triggered_after must be a number of seconds.",
    ],
    [
      [{ tool_id, audio_fillers: "hm" }],
      "states[0].action_tool_call_specs[0].audio_fillers must be a list of strings.",
    ],
    [
      [
        { type: "action", name: "x" },
        { type: "decision", name: "x" },
      ],
      'Two states are named "x".',
    ],
  ])("refuses %j", (value, sentence) => {
    expect(() => readStates(value)).toThrow(sentence);
  });
});
