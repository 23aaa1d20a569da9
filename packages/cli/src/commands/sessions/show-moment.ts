import { toEntryText } from "@haft/agent/internal/threads";
import { clipText } from "@haft/contract/internal";
import type { CallRecord } from "@haft/core";
import { toVisibleText } from "@haft/core/internal";
import type { Message, Moment } from "./timeline.ts";

/** Formats a moment for people: one line for a call, or a message below its speaker. */
export function showMoment(moment: Moment): string {
  if (moment.type === "call") {
    return `${moment.isInner ? "  " : ""}${toVisibleText(showCall(moment.call))}\n`;
  }
  return `${showTime(moment.time)}  ${showMessage(moment.entry)}\n`;
}

/** Formats a message below its speaker. */
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
  return `${showTime(startedAt)}  ${name}  ${state}  ${result.metadata.duration_ms} ms  ${clipText(text.replaceAll(/\s+/gu, " "), 100)}`;
}

function showTime(time: number): string {
  return new Date(time).toISOString();
}
