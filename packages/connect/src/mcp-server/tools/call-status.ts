import type { InboxEntry, StoredQuestion } from "@haft/computer/internal";
import type { ToolResult } from "@haft/contract";
import type { Tool } from "@modelcontextprotocol/server";
import { toRefusal } from "./open-calls.ts";

/** The tool that tells what became of a call that waits. It exists where calls may wait. */
export const statusTool: Tool = {
  name: "get_tool_call_status",
  title: "Get tool call status",
  description:
    "Returns the result of a call that waits for a person's approval or answer, or that it still waits. It waits some time itself. Call it again instead of repeating the other call.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "ID that the waiting call returned." },
    },
    required: ["id"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Tells a model that a call waits, and how to get its result. */
export function describeWaiting(question: StoredQuestion): string {
  const { id, name, reason, deadlineAt, questions } = question;
  const isAsking = questions !== undefined;
  return [
    isAsking
      ? `${name} waits for a person's answer until ${deadlineAt}.`
      : `${name} has not run yet: it waits for a person's approval until ${deadlineAt}. Reason: ${reason}.`,
    `Do not repeat the call. Get its result with ${statusTool.name} and id ${id}.`,
    `A person answers with: haft inbox answer ${id} ${isAsking ? "TEXT" : "once"}`,
  ].join("\n");
}

/** Returns what the inbox has about a call: its result, or what to tell the model. */
export function describeEntry(entry: InboxEntry): ToolResult | string {
  const { question, end, state, decision, progress } = entry;
  if (end !== undefined) return end.result;
  const { id, name } = question;
  const isAsking = question.questions !== undefined;
  if (progress === "running") {
    return `${name} was ${isAsking ? "answered" : "approved"} and is running. Ask again for id ${id}.`;
  }
  if (progress === "interrupted") {
    return toRefusal(
      "cancelled",
      `${name} was approved and started, but its process ended before the result was known. It may have had effects: check before you call it again.`,
    );
  }
  if (state === "expired") {
    const text = isAsking
      ? "No person answered in time. Continue with your best judgement."
      : `${name} was not run: it was not approved in time.`;
    return toRefusal("rejected-by-user", text);
  }
  if (state === "cancelled")
    return toRefusal("cancelled", `${name} was cancelled. It was not run.`);
  if (decision?.answer === "no") {
    if (isAsking) return toRefusal("rejected-by-user", "The question was not answered.");
    const said = decision.reason === undefined ? "" : `: ${decision.reason}`;
    return toRefusal("rejected-by-user", `The user rejected this call of ${name}${said}`);
  }
  if (question.call === undefined && !entry.isHeld) {
    return toRefusal("cancelled", `${name} was not run: its process has ended. Call it again.`);
  }
  return describeWaiting(question);
}
