import type { JsonValue } from "@haft/contract";
import { clipLine } from "./clip-line.ts";

/** A call without its result. */
export interface ShownCall {
  readonly name: string;
  readonly arguments: JsonValue;
}

type Fields = Readonly<Record<string, JsonValue>>;

const maxLineLength = 120;
const maxNameLength = 60;

// The most informative arguments first.
const telling = [
  "command",
  "cmd",
  "path",
  "file_path",
  "from",
  "pattern",
  "query",
  "url",
  "prompt",
  "task",
  "name",
  "job_id",
];

/** Formats a call in one line: its name and its most informative argument. */
export function showCall(call: ShownCall): string {
  const name = clipLine(call.name, maxNameLength);
  const about = tellCall(call.arguments);
  return about === "" ? name : `${name} ${clipLine(about, maxLineLength)}`;
}

function tellCall(args: JsonValue): string {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null || Array.isArray(args)) return "";
  const fields = args as Fields;
  return tellKnown(fields) ?? tellFirst(fields);
}

function tellKnown(fields: Fields): string | undefined {
  const { pattern, path, from, to, subagent_type: agent, prompt, todos, questions } = fields;
  if (typeof fields.patch === "string") return tellPatch(fields.patch);
  if (Array.isArray(todos)) return todos.length === 1 ? "1 task" : `${todos.length} tasks`;
  if (Array.isArray(questions)) return textOf((questions[0] as Fields | undefined)?.question);
  if (typeof agent === "string") return `${agent}: ${textOf(prompt) ?? ""}`;
  if (typeof from === "string" && typeof to === "string") return `${from} to ${to}`;
  if (typeof pattern === "string" && typeof path === "string") return `${pattern} in ${path}`;
  return undefined;
}

function tellFirst(fields: Fields): string {
  for (const name of telling) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return (
    Object.values(fields)
      .map(textOf)
      .find((text) => text !== undefined) ?? ""
  );
}

function tellPatch(patch: string): string {
  const paths = patch.matchAll(
    /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?(?!\/dev\/null))(.+)$/gmu,
  );
  return [...paths].map(([, path]) => path).join(", ");
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every((one) => typeof one === "string") ? value.join(" ") : undefined;
}
