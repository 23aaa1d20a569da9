import { toEntryText } from "@haft/agent/internal/threads";
import { clipText } from "@haft/contract/internal";
import type { CallRecord } from "@haft/core";
import { toVisibleText } from "@haft/core/internal";
import type { Message, Moment } from "./timeline.ts";

/** Formats a moment for people: a call with its approval and what hooks did about it, or a message below its speaker. */
export function showMoment(moment: Moment): string {
  if (moment.type === "call") {
    const lines = [showCall(moment.call), ...showApproval(moment.call), ...showHooks(moment.call)];
    return lines.map((line) => `${moment.isInner ? "  " : ""}${toVisibleText(line)}\n`).join("");
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

function showApproval({ result }: CallRecord): readonly string[] {
  const { approval } = result.metadata;
  if (approval === undefined) return [];
  const { answer, by, via, at, id } = approval;
  return [`    answered ${answer} by ${by} at ${at}, ${via} (${id})`];
}

function showHooks({ result }: CallRecord): readonly string[] {
  return (result.metadata.hooks ?? []).map(({ event, hook, did, text }) => {
    const line = `    ${event} hook ${hook} ${did}${text === "" ? "" : `: ${text}`}`;
    return clipText(line.replaceAll(/\n\s*/gu, " "), maxHookLength);
  });
}

const maxHookLength = 200;

function showTime(time: number): string {
  return new Date(time).toISOString();
}
