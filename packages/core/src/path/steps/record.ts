import { type CallState, ToolError, type ToolKind, type ToolResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { CallPassage } from "../../recorder/recorder.ts";
import { formatRule, type Rule } from "../../rules/rule.ts";
import type { Call } from "../call.ts";
import { describeCall, enterState } from "../call-events.ts";
import type { CallContext } from "../context.ts";

/** Refuses calls that change something while calls can't be recorded. Read-only calls continue. */
export function recordable({ tool, name }: Call, { recorder }: CallContext): void {
  const failure = recorder.findFailure?.();
  if (failure === undefined || harmless.includes(tool.kind)) return;
  throw new ToolError(
    "unavailable",
    `${name} was not run because calls can't be recorded: ${failure} Reading and searching still work.`,
  );
}

const harmless: readonly ToolKind[] = ["read", "search", "think"];

/** Records the call and emits its final event. */
export function record(call: Call, result: ToolResult, context: CallContext): void {
  enterState(call, endState(result), context);
  try {
    const sent = context.secrets.hideKnown(call.sent);
    context.earlier.add(call, result, sent);
    context.recorder.record({
      session: context.storage.id,
      callId: call.id,
      name: call.name,
      tool: call.tool?.id,
      arguments: sent,
      dialect: context.dialect.name,
      startedAt: call.startedAt,
      state: call.state,
      result,
      passage: toPassage(call),
    });
  } catch (error) {
    context.events.warn(`The call ${call.id} could not be recorded: ${toErrorMessage(error)}`);
  }
  const name = result.type === "output" ? "tool:post" : "tool:error";
  if (context.events.hears(name)) {
    context.events.emit(name, { ...describeCall(call, context), result });
  }
}

// Without spreads and repeated formatting: every call passes here.
function toPassage(call: Call): CallPassage | undefined {
  const { verdict, askedMs, queuedMs } = call;
  if (verdict === undefined) return undefined;
  const { action, decidedBy } = verdict;
  const passage: { -readonly [Name in keyof CallPassage]: CallPassage[Name] } = { action };
  if (decidedBy !== undefined) {
    passage.rule = toLine(decidedBy.rule);
    passage.scope = decidedBy.scope;
  }
  if (call.isWatched) passage.watched = true;
  if (call.isReviewed) passage.reviewed = true;
  const answer = call.answer ?? (call.isApproved ? "approved" : undefined);
  if (answer !== undefined) passage.answer = answer;
  if (askedMs !== undefined) passage.asked_ms = askedMs;
  if (queuedMs !== undefined) passage.queued_ms = queuedMs;
  return passage;
}

const lines = new WeakMap<Rule, string>();

function toLine(rule: Rule): string {
  let line = lines.get(rule);
  if (line === undefined) {
    line = formatRule(rule);
    lines.set(rule, line);
  }
  return line;
}

function endState(result: ToolResult): CallState {
  if (result.type === "output") return "done";
  switch (result.metadata.error_code) {
    case "cancelled":
      return "cancelled";
    case "rejected-by-user":
      return "rejected-by-user";
    default:
      return "error";
  }
}
