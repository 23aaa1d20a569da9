import { toEntryText } from "@haft/agent/threads";
import { type CallRecord, toVisibleText } from "@haft/core";
import type { Message, Moment } from "./timeline.ts";

/** A moment for a person: a line about a call, or what was said under who said it. */
export function showMoment(moment: Moment): string {
  if (moment.type === "call") return `${toVisibleText(showCall(moment.call))}\n`;
  return `${showTime(moment.time)}  ${showMessage(moment.entry)}\n`;
}

/** What was said, under who said it. */
export function showMessage(entry: Message): string {
  const text = toVisibleText(toEntryText(entry));
  if (entry.kind === "turn-end") {
    return `turn ended: ${entry.reason}${text === "" ? "" : `: ${text}`}`;
  }
  const files = entry.kind === "user" ? entry.content.filter(({ type }) => type === "file") : [];
  const lines = [text, files.length === 0 ? "" : `[${files.length} files]`].filter(
    (line) => line !== "",
  );
  const said = lines.map((line) => `\n${line.replaceAll(/^/gmu, "    ")}`).join("");
  return `${toVisibleText(showSpeaker(entry))}${said}`;
}

function showSpeaker(entry: Message): string {
  return entry.kind === "assistant" ? `${entry.agent} (${entry.model})` : entry.kind;
}

function showCall(call: CallRecord): string {
  const { startedAt, name, state, result } = call;
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return `${showTime(startedAt)}  ${name}  ${state}  ${result.metadata.duration_ms} ms  ${clip(text)}`;
}

function showTime(time: number): string {
  return new Date(time).toISOString();
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
