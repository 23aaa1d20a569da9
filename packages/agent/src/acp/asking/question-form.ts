import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
} from "@agentclientprotocol/sdk";
import type { Question } from "@haft/contract";
import { toVisibleText } from "@haft/core";
import type { ElicitationForm } from "../acp-client.ts";

/** The form in which a person answers a call's questions: a field for each. */
export function toQuestionForm(
  questions: readonly Question[],
  toolCallId: string,
): ElicitationForm {
  const fields = questions.map((question, index) => [nameOf(index), toField(question)] as const);
  return {
    toolCallId,
    message: questions.map(({ question }) => toVisibleText(question)).join("\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(fields),
      required: fields.map(([name]) => name),
    },
  };
}

/** One array of answers per question; `undefined` if the person did not answer them all. */
export function fromQuestionForm(
  response: CreateElicitationResponse,
  questions: readonly Question[],
): string[][] | undefined {
  if (response.action !== "accept") return undefined;
  const content = "content" in response ? response.content : undefined;
  if (typeof content !== "object" || content === null) return undefined;
  const values = content as Readonly<Record<string, unknown>>;
  const given = questions.map((_, index) => toTexts(values[nameOf(index)]));
  return given.every((one) => one !== undefined) ? given : undefined;
}

function toField(question: Question): ElicitationPropertySchema {
  const about = {
    title: toVisibleText(question.header ?? question.question),
    description: toVisibleText(question.question),
  };
  const options = (question.options ?? []).map(({ label, description }) => ({
    const: label,
    title: toVisibleText(label),
    ...(description !== undefined && { description: toVisibleText(description) }),
  }));
  if (options.length === 0) return { type: "string", ...about };
  return question.multi_select === true
    ? { type: "array", ...about, items: { anyOf: options } }
    : { type: "string", ...about, oneOf: options };
}

function toTexts(value: unknown): string[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === "string") ? value : undefined;
}

function nameOf(index: number): string {
  return `answer_${index + 1}`;
}
