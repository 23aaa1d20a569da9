import { toVisibleLine } from "@haft/core";
import type { AgentEvent } from "../loop/agent-event.ts";
import { clipText } from "../loop/clip-text.ts";

const longest = 100;

/** What a child does, in a few words such as `finder: grep needle`; nothing for what is not worth telling. */
export function describeProgress(agent: string, event: AgentEvent): string | undefined {
  if (event.type !== "tool-call") return undefined;
  const subject = findSubject(event.arguments);
  const words = subject === undefined ? event.name : `${event.name} ${clipText(subject, longest)}`;
  const line = toVisibleLine(`${agent}: ${words}`.replaceAll(/\s+/gu, " ").trim());
  if (line.length <= longest) return line;
  return `${clipText(line, longest - 1)}…`;
}

// What a call is about is what its first text says.
function findSubject(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  return Object.values(given).find((value) => typeof value === "string");
}
