import type { ConversationState, ToolCallSpec } from "./tool-call-spec.ts";

/**
 * Reads states, or a list of specs, which is one state named `default`. Throws a `TypeError` that
 * names the place and the remedy.
 */
export function readStates(value: unknown): readonly ConversationState[] {
  if (!Array.isArray(value)) throw new TypeError("Give a list of states, or of tool-call specs.");
  const isSpecs = value.every((item) => isObject(item) && "tool_id" in item);
  const states = isSpecs
    ? [{ type: "action", name: "default", action_tool_call_specs: value }]
    : value;
  const read = states.map((state, index) => readState(state, `states[${index}]`));
  const names = new Set<string>();
  for (const { name } of read) {
    if (names.has(name)) throw new TypeError(`Two states are named ${JSON.stringify(name)}.`);
    names.add(name);
  }
  return read;
}

const types = ["action", "decision", "reflection", "tool-call"];
const lists = {
  action: ["action_tool_call_specs", "exit_condition_tool_call_specs"],
  other: ["tool_call_specs"],
};

function readState(value: unknown, place: string): ConversationState {
  if (!isObject(value)) throw new TypeError(`${place} is no object.`);
  const { type, name } = value;
  if (!types.includes(type as string)) {
    throw new TypeError(`${place}.type is to be one of ${types.join(", ")}.`);
  }
  if (typeof name !== "string" || name === "") throw new TypeError(`${place} needs a name.`);
  for (const list of type === "action" ? lists.action : lists.other) {
    const specs = value[list] ?? [];
    if (!Array.isArray(specs)) throw new TypeError(`${place}.${list} is to be a list.`);
    for (const [index, spec] of specs.entries()) requireSpec(spec, `${place}.${list}[${index}]`);
  }
  return value as unknown as ConversationState;
}

const persistences = ["ephemeral", "persisted-preferred", "persisted"];

function requireSpec(value: unknown, place: string): asserts value is ToolCallSpec {
  if (!isObject(value)) throw new TypeError(`${place} is no object.`);
  const { tool_id, audio_fillers, audio_filler_triggered_after, result_persistence } = value;
  if (typeof tool_id !== "string" || !/^[a-f0-9]{24}$/u.test(tool_id)) {
    throw new TypeError(`${place}.tool_id is to be a tool's id, 24 hexadecimal digits.`);
  }
  for (const name of ["version_constraint", "additional_instruction"]) {
    const text = value[name];
    if (text !== undefined && typeof text !== "string") {
      throw new TypeError(`${place}.${name} is to be a text.`);
    }
  }
  if (audio_fillers !== undefined && !isTexts(audio_fillers)) {
    throw new TypeError(`${place}.audio_fillers is to be a list of texts.`);
  }
  if (
    audio_filler_triggered_after !== undefined &&
    !(typeof audio_filler_triggered_after === "number" && audio_filler_triggered_after >= 0)
  ) {
    throw new TypeError(`${place}.audio_filler_triggered_after is to be a number of seconds.`);
  }
  if (result_persistence !== undefined && !persistences.includes(result_persistence as string)) {
    throw new TypeError(`${place}.result_persistence is to be one of ${persistences.join(", ")}.`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
