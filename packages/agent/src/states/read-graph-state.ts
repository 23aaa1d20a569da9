import type { ConversationState, ToolCallSpec } from "@haft/connect/published";
import { isPlainObject } from "@haft/contract/internal";
import type { GraphState } from "./state-graph-file.ts";

type Fields = Readonly<Record<string, unknown>>;

const ownFields = ["type", "name", "objective", "instructions", "next", "tools"];
const specLists: Readonly<Record<ConversationState["type"], readonly string[]>> = {
  action: ["action_tool_call_specs", "exit_condition_tool_call_specs"],
  decision: ["tool_call_specs"],
  reflection: ["tool_call_specs"],
  "tool-call": ["tool_call_specs"],
};
const everySpecList = [...new Set(Object.values(specLists).flat())];
const maxNameLength = 100;

/** Reads a state of a graph, without checking references to other states. */
export function readGraphState(value: unknown, at: string, warnings: string[]): GraphState {
  if (!isPlainObject(value)) {
    throw new TypeError(`${at} must be an object.`);
  }
  const fields: Fields = value;
  const { type, name } = fields;
  if (typeof type !== "string" || !isType(type)) {
    const known = Object.keys(specLists).join(", ");
    throw new TypeError(`${at}.type must be one of ${known}.`);
  }
  if (typeof name !== "string" || name === "") throw new TypeError(`${at} needs a name.`);
  if (name.length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw new TypeError(`${at}.name must be one line of at most ${maxNameLength} characters.`);
  }
  requireOwnLists(fields, type, at);
  const known = [...ownFields, ...specLists[type], ...(type === "tool-call" ? ["tool_id"] : [])];
  const odd = Object.keys(fields).filter((field) => !known.includes(field));
  if (odd.length > 0) warnings.push(`${at}: unknown fields are ignored: ${odd.join(", ")}.`);
  const toolId = readText(fields, "tool_id", at);
  return {
    name,
    type,
    conversation: toConversation(fields, { type, name, toolId }),
    objective: readText(fields, "objective", at),
    instructions: readText(fields, "instructions", at),
    next: [...new Set(readTexts(fields, "next", at))],
    tools: [
      ...readTexts(fields, "tools", at),
      ...(toolId !== undefined && !isPublished(toolId) ? [toolId] : []),
    ],
    toolId,
  };
}

function isType(type: string): type is ConversationState["type"] {
  return Object.hasOwn(specLists, type);
}

function isPublished(id: string): boolean {
  return /^[a-f0-9]{24}$/u.test(id);
}

function requireOwnLists(fields: Fields, type: ConversationState["type"], at: string): void {
  const own = specLists[type];
  const foreign = everySpecList.find((list) => list in fields && !own.includes(list));
  if (foreign !== undefined) {
    const where = own.join(" and ");
    throw new TypeError(`${at}.${foreign}: in a state of type ${type} it is ${where}.`);
  }
  if ("tool_id" in fields && type !== "tool-call") {
    throw new TypeError(
      `${at}.tool_id: only a state of type tool-call has a tool_id. List the tool in ${own[0]}.`,
    );
  }
}

interface Named {
  readonly type: ConversationState["type"];
  readonly name: string;
  readonly toolId: string | undefined;
}

function toConversation(fields: Fields, { type, name, toolId }: Named): ConversationState {
  const lists = Object.fromEntries(
    specLists[type].flatMap((list) => (list in fields ? [[list, fields[list]]] : [])),
  );
  if (toolId !== undefined && isPublished(toolId)) {
    const specs: unknown = lists.tool_call_specs ?? [];
    const isListed = Array.isArray(specs) && specs.some((spec) => spec?.tool_id === toolId);
    // The state's own tool is available without being listed among the helper tools.
    if (Array.isArray(specs) && !isListed) lists.tool_call_specs = [{ tool_id: toolId }, ...specs];
  }
  return { type, name, ...lists } as ConversationState & { tool_call_specs?: ToolCallSpec[] };
}

function readText(fields: Fields, field: string, at: string): string | undefined {
  const value = fields[field];
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError(`${at}.${field} must be a string.`);
}

function readTexts(fields: Fields, field: string, at: string): readonly string[] {
  const value = fields[field] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new TypeError(`${at}.${field} must be a list of names.`);
}
