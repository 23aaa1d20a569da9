import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
} from "@agentclientprotocol/sdk";
import { readQuestionAnswers, type ToField, toQuestionForm } from "@haft/connect/internal";
import type { Question } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import type { ElicitationForm } from "../acp-client.ts";

/** Makes the ACP form for a call's questions. */
export function toAcpForm(questions: readonly Question[], toolCallId: string): ElicitationForm {
  return { toolCallId, ...toQuestionForm(questions, toField) };
}

/** Reads the answers: one array per question, or `undefined` if not all were answered. */
export function fromAcpForm(
  response: CreateElicitationResponse,
  questions: readonly Question[],
): string[][] | undefined {
  if (response.action !== "accept") return undefined;
  const content = "content" in response ? response.content : undefined;
  return isPlainObject(content) ? readQuestionAnswers(content, questions) : undefined;
}

const toField: ToField<ElicitationPropertySchema> = ({ options = [], multi_select }, text) => {
  if (options.length === 0) return { type: "string", ...text };
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: toVisibleText(label),
    ...(description !== undefined && { description: toVisibleText(description) }),
  }));
  return multi_select === true
    ? { type: "array", ...text, items: { anyOf: choices } }
    : { type: "string", ...text, oneOf: choices };
};
