import { isPlainObject } from "@haft/contract/internal";
import { maxStepNameCharacters, type StepResult, type Wait } from "./run-journal.ts";

// A tool can tamper with its worker, so what a worker sends is checked.

const maxWaits = 100;
const maxQuestionCharacters = 10_000;
const maxAnswerers = 100;

/** Returns whether a message describes the beginning of a step. */
export function isBeginning({
  position,
  name,
  isRepeatable,
}: Readonly<Record<string, unknown>>): boolean {
  return isPosition(position) && isText(name, maxStepNameCharacters) && isFlag(isRepeatable);
}

/** Returns whether a value is the result of a step. */
export function isResult(value: unknown): value is StepResult {
  if (!isPlainObject(value)) return false;
  const { error } = value as { readonly error?: unknown };
  if (error === undefined) return true;
  const { type, message } = Object(error) as Record<string, unknown>;
  return isText(type, 200) && isText(message, 10_000);
}

/** Returns whether a value lists what a tool waits for. */
export function isWaitList(value: unknown): value is readonly Wait[] {
  return (
    Array.isArray(value) && value.length <= maxWaits && value.length > 0 && value.every(isWait)
  );
}

function isWait(value: unknown): boolean {
  const { kind, position, ms, question, deadlineMs, answerers } = Object(value) as Record<
    string,
    unknown
  >;
  if (!isPosition(position)) return false;
  if (kind === "sleep") return isDuration(ms);
  return (
    kind === "ask" &&
    isText(question, maxQuestionCharacters) &&
    (deadlineMs === undefined || isDuration(deadlineMs)) &&
    (answerers === undefined ||
      (Array.isArray(answerers) &&
        answerers.length <= maxAnswerers &&
        answerers.every((each) => isText(each, maxStepNameCharacters))))
  );
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isText(value: unknown, maxCharacters: number): boolean {
  return typeof value === "string" && value.length <= maxCharacters;
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}
