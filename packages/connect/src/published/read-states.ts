import { isPlainObject } from "@haft/contract/internal";
import type { ConversationState, ToolCallSpec } from "./tool-call-spec.ts";

/**
 * Validates states. A list of specs becomes one state named `default`. Throws a `TypeError` that names
 * the wrong field.
 */
export function readStates(value: unknown): readonly ConversationState[] {
  if (!Array.isArray(value))
    throw new TypeError("States must be a list of states or of tool-call specs.");
  const isSpecs = value.every((item) => isPlainObject(item) && "tool_id" in item);
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

function readState(value: unknown, path: string): ConversationState {
  if (!isPlainObject(value)) throw new TypeError(`${path} must be an object.`);
  const { type, name } = value;
  if (!types.includes(type as string)) {
    throw new TypeError(`${path}.type must be one of ${types.join(", ")}.`);
  }
  if (typeof name !== "string" || name === "") throw new TypeError(`${path} needs a name.`);
  for (const list of type === "action" ? lists.action : lists.other) {
    const specs = value[list] ?? [];
    if (!Array.isArray(specs)) throw new TypeError(`${path}.${list} must be a list.`);
    for (const [index, spec] of specs.entries()) requireSpec(spec, `${path}.${list}[${index}]`);
  }
  return value as unknown as ConversationState;
}

const persistences = ["ephemeral", "persisted-preferred", "persisted"];

function requireSpec(value: unknown, path: string): asserts value is ToolCallSpec {
  if (!isPlainObject(value)) throw new TypeError(`${path} must be an object.`);
  const { tool_id, audio_fillers, audio_filler_triggered_after, result_persistence } = value;
  if (typeof tool_id !== "string" || !/^[a-f0-9]{24}$/u.test(tool_id)) {
    throw new TypeError(`${path}.tool_id must be the id of a tool: 24 hexadecimal digits.`);
  }
  for (const name of ["version_constraint", "additional_instruction"]) {
    const text = value[name];
    if (text !== undefined && typeof text !== "string") {
      throw new TypeError(`${path}.${name} must be a string.`);
    }
  }
  if (audio_fillers !== undefined && !isTexts(audio_fillers)) {
    throw new TypeError(`${path}.audio_fillers must be a list of strings.`);
  }
  if (
    audio_filler_triggered_after !== undefined &&
    !(typeof audio_filler_triggered_after === "number" && audio_filler_triggered_after >= 0)
  ) {
    throw new TypeError(`${path}.audio_filler_triggered_after must be a number of seconds.`);
  }
  if (result_persistence !== undefined && !persistences.includes(result_persistence as string)) {
    throw new TypeError(`${path}.result_persistence must be one of ${persistences.join(", ")}.`);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
