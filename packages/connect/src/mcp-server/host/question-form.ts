import type { Question } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";
import { readQuestionAnswers, type ToField, toQuestionForm } from "../../question-form.ts";
import { addReference, type FormQuestion } from "./ask-form.ts";
import type { ElicitAnswer, ElicitForm } from "./elicit.ts";

/** Makes the elicitation form for a call's questions, and for the question in the inbox that has them. */
export function toElicitForm(questions: readonly Question[], question?: FormQuestion): ElicitForm {
  const form = toQuestionForm(questions, toField);
  const message = question === undefined ? form.message : addReference(form.message, question);
  return { mode: "form", ...form, message };
}

/** Reads the answers: one array per question, or `undefined` if not all were answered. */
export function fromElicitAnswer(
  { action, content }: ElicitAnswer,
  questions: readonly Question[],
): string[][] | undefined {
  if (action !== "accept" || content === undefined) return undefined;
  return readQuestionAnswers(content, questions);
}

type Field = ElicitForm["requestedSchema"]["properties"][string];

// A choice has no room for the descriptions of its options, so the field's own description has them.
const toField: ToField<Field> = ({ options = [], multi_select }, { title, description }) => {
  if (options.length === 0) return { type: "string", title, description };
  const explained = options.flatMap((option) =>
    option.description === undefined
      ? []
      : [toVisibleText(`${option.label}: ${option.description}`)],
  );
  const text = { title, description: [description, ...explained].join("\n") };
  const labels = options.map(({ label }) => label);
  return multi_select === true
    ? { type: "array", ...text, items: { type: "string", enum: labels } }
    : { type: "string", ...text, enum: labels };
};
