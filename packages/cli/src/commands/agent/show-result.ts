import type { Metadata, ToolFailure, ToolResult } from "@haft/contract";
import { toVisibleLine } from "@haft/core/internal";
import { toCommandText } from "../../terminal/command-text.ts";
import { findDiffs } from "../../terminal/find-diffs.ts";
import { toResultText } from "../../terminal/result-text.ts";
import type { ShownText } from "../../terminal/shown-text.ts";
import type { Style } from "../../terminal/style.ts";
import { clipLine } from "./clip-line.ts";
import { countFound } from "./count-found.ts";
import { countDiff, showDiff } from "./show-diff.ts";
import { showTodos } from "./show-todos.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxErrorLines = 10;
const maxCommandLines = 12;
const maxLines = 6;
const maxLineLength = 200;

/** Formats a result in a few lines: its diff, the end of its output, or how much it found. */
export function showResult(result: ToolResult, style: Style): string[] {
  if (result.type === "error") return showFailure(result, style);
  return [...showData(result.data, style), ...showMetadata(result.metadata, style)];
}

/** Formats a result in one line. */
export function showBriefly(result: ToolResult, style: Style): string {
  if (result.type === "error") {
    return style.red(clipLine(`${result.error_text} [${codeOf(result)}]`, maxLineLength));
  }
  const diff = isFields(result.data) ? findDiffs(result.data).join("") : "";
  if (diff !== "") return style.dim(countDiff(diff));
  return showData(result.data, style)[0] ?? style.dim("done");
}

function showFailure(result: ToolFailure, style: Style): string[] {
  const lines = headOf(result.error_text, maxErrorLines);
  const last = lines.pop() ?? "";
  return [...lines, `${last} [${codeOf(result)}]`].map(style.red);
}

function codeOf({ metadata }: ToolFailure): string {
  return metadata.error_code ?? "failed";
}

function showData(data: unknown, style: Style): string[] {
  if (!isFields(data)) return showText(toResultText(data), style);
  const diff = findDiffs(data).join("");
  if (diff !== "") return showDiff(diff, style);
  const command = toCommandText(data);
  if (command !== undefined) return showCommand(command, data, style);
  const found = countFound(data);
  if (found !== undefined) return [style.dim(toVisibleLine(found))];
  return showTodos(data, style) ?? showText(toResultText(simplify(data)), style);
}

function showCommand({ text, remarks = [] }: ShownText, data: Fields, style: Style): string[] {
  const failed = "exit_code" in data && data.exit_code !== 0 && data.state !== "running";
  const notes = remarks.map((remark) => clipLine(remark, maxLineLength));
  const lines = text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
  const tail = lines.slice(-maxCommandLines).map(showLine);
  const left = lines.length - tail.length;
  return [
    ...(left === 0 ? [] : [style.dim(`… ${left} lines before`)]),
    ...tail.map(style.dim),
    ...(lines.length === 0 && notes.length === 0 ? [style.dim("no output")] : []),
    ...notes.map(failed ? style.red : style.dim),
  ];
}

function showText({ text, remarks = [] }: ShownText, style: Style): string[] {
  const lines = text.trimEnd() === "" ? [] : headOf(text.trimEnd(), maxLines);
  return [...lines, ...remarks.map((remark) => clipLine(remark, maxLineLength))].map(style.dim);
}

// The text of a subagent or an MCP server is more useful than the JSON around it.
function simplify(data: Fields): unknown {
  const { content, answers, text } = data;
  if (typeof text === "string" && text !== "") return text;
  if (Array.isArray(answers)) return answers.map((given) => [given].flat().join(", "));
  if (!Array.isArray(content)) return data;
  const texts = (content as Fields[])
    .map((part) => part?.text)
    .filter((text) => text !== undefined);
  return texts.length === 0 ? data : texts.map(String).join("\n");
}

function showMetadata(metadata: Metadata, style: Style): string[] {
  const { truncated, output_path: path, notes = [], warnings = [] } = metadata;
  const cut =
    path === undefined
      ? "the output was truncated"
      : `the output was truncated; more is in ${path}`;
  return [
    ...(truncated ? [style.dim(clipLine(cut, maxLineLength))] : []),
    ...notes.map((note) => style.dim(clipLine(note, maxLineLength))),
    ...warnings.map((warning) => style.yellow(clipLine(warning, maxLineLength))),
  ];
}

function headOf(text: string, most: number): string[] {
  const lines = text.split("\n");
  const shown = lines.slice(0, most).map(showLine);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, `… ${left} more lines`];
}

function showLine(text: string): string {
  const line = text.replace(/\r$/u, "");
  return toVisibleLine(line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line);
}

function isFields(data: unknown): data is Fields {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
