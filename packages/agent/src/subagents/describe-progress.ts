import { clipText } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { AgentEvent } from "../loop/agent-event.ts";

const maxLength = 100;

/** Describes an event of a subagent in a few words, such as `finder: grep needle`. Returns `undefined` for events that are not tool calls. */
export function describeProgress(agent: string, event: AgentEvent): string | undefined {
  if (event.type !== "tool-call") return undefined;
  const subject = findSubject(event.arguments);
  const words =
    subject === undefined ? event.name : `${event.name} ${clipText(subject, maxLength, "")}`;
  const line = toVisibleLine(`${agent}: ${words}`.replaceAll(/\s+/gu, " ").trim());
  return clipText(line, maxLength);
}

// The first text argument is usually what the call is about.
function findSubject(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  return Object.values(given).find((value) => typeof value === "string");
}
