import {
  openSessionInbox,
  type StoredDecision,
  stateDirectory,
  toAnswerFields,
} from "@haft/computer/internal";
import { findReference, toFormContent } from "@haft/connect/internal/mcp-server";
import type { Question } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { readMilliseconds } from "../../options/read-duration.ts";
import { UsageError } from "../../usage-error.ts";

const defaultWaitMs = 10 * 60 * 1000;

/**
 * `haft hooks elicitation`: answers a form of `haft mcp` for Claude Code with what a person answers in the inbox.
 * It decides nothing itself: forms of other servers are left alone, and without an answer the form is cancelled.
 */
export async function answerElicitation(input: CommandInput, io: Io): Promise<number> {
  const waitMs = readMilliseconds(input, "wait") ?? defaultWaitMs;
  const inbox = openSessionInbox(stateDirectory(io.environment));
  const id = findReference(readMessage(await io.readInput()), inbox.sign);
  if (id === undefined || inbox.find(id) === undefined) return 0;
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(waitMs)]);
  const decision = await inbox.whenDecided(id, signal).catch((error) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  const answer = toOutput(decision, inbox.find(id)?.question.questions);
  io.out(
    `${JSON.stringify({ hookSpecificOutput: { hookEventName: "Elicitation", ...answer } })}\n`,
  );
  return 0;
}

function readMessage(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Neither is a hook's input.
  }
  if (isPlainObject(value) && value.hook_event_name === "Elicitation") {
    return typeof value.message === "string" ? value.message : "";
  }
  throw new UsageError(
    "Standard input is not the JSON of an Elicitation hook. Name this command in the settings of Claude Code: docs/guides/hooks.md.",
  );
}

function toOutput(
  decision: StoredDecision | undefined,
  questions: readonly Question[] | undefined,
): Readonly<Record<string, unknown>> {
  if (decision === undefined) return { action: "cancel" };
  switch (decision.answer) {
    case "answered": {
      const content = toAnswerFields(questions ?? [], decision.answers ?? []);
      return { action: "accept", content };
    }
    case "expired":
    case "cancelled":
      return { action: "cancel" };
    case "no":
      return { action: "decline" };
    default:
      return { action: "accept", content: toFormContent(decision.answer) };
  }
}
