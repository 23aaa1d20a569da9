import type { ConversationState, ToolCallSpec } from "@haft/connect/published";
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
const longestName = 100;

/** Reads a state of a graph as far as it can be told without the others. */
export function readGraphState(value: unknown, place: string, warnings: string[]): GraphState {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${place} is no object.`);
  }
  const fields = value as Fields;
  const { type, name } = fields;
  if (typeof type !== "string" || !isType(type)) {
    const known = Object.keys(specLists).join(", ");
    throw new TypeError(`${place}.type is to be one of ${known}.`);
  }
  if (typeof name !== "string" || name === "") throw new TypeError(`${place} needs a name.`);
  if (name.length > longestName || /\p{Cc}/u.test(name)) {
    throw new TypeError(
      `${place}.name is to be one line of at most ${longestName} characters, for a model to say.`,
    );
  }
  requireOwnLists(fields, type, place);
  const known = [...ownFields, ...specLists[type], ...(type === "tool-call" ? ["tool_id"] : [])];
  const odd = Object.keys(fields).filter((field) => !known.includes(field));
  if (odd.length > 0) warnings.push(`${place}: nobody reads ${odd.join(", ")}.`);
  const toolId = readText(fields, "tool_id", place);
  return {
    name,
    type,
    conversation: toConversation(fields, { type, name, toolId }),
    objective: readText(fields, "objective", place),
    instructions: readText(fields, "instructions", place),
    next: [...new Set(readTexts(fields, "next", place))],
    tools: [
      ...readTexts(fields, "tools", place),
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

function requireOwnLists(fields: Fields, type: ConversationState["type"], place: string): void {
  const own = specLists[type];
  const foreign = everySpecList.find((list) => list in fields && !own.includes(list));
  if (foreign !== undefined) {
    const where = own.join(" and ");
    throw new TypeError(`${place}.${foreign}: in a state of type ${type} it is ${where}.`);
  }
  if ("tool_id" in fields && type !== "tool-call") {
    throw new TypeError(
      `${place}.tool_id: only a state of type tool-call is about one tool. List it in ${own[0]}.`,
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
    // The tool that the state is about is there without being listed among those that help.
    if (Array.isArray(specs) && !isListed) lists.tool_call_specs = [{ tool_id: toolId }, ...specs];
  }
  return { type, name, ...lists } as ConversationState & { tool_call_specs?: ToolCallSpec[] };
}

function readText(fields: Fields, field: string, place: string): string | undefined {
  const value = fields[field];
  if (value === undefined || typeof value === "string") return value;
  throw new TypeError(`${place}.${field} is to be a text.`);
}

function readTexts(fields: Fields, field: string, place: string): readonly string[] {
  const value = fields[field] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new TypeError(`${place}.${field} is to be a list of names.`);
}
