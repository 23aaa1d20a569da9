import type { Question } from "@haft/contract";
import { toVisibleLine } from "@haft/core";
import type { ElicitAnswer, ElicitForm } from "./elicit.ts";

/** The form in which a person answers a call's questions: a field for each. */
export function toQuestionForm(questions: readonly Question[]): ElicitForm {
  const fields = questions.map((question, index) => [nameOf(index), toField(question)] as const);
  return {
    mode: "form",
    message: questions.map(({ question }) => show(question)).join("\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(fields),
      required: fields.map(([name]) => name),
    },
  };
}

/** One array of answers per question; `undefined` if the person did not answer them all. */
export function fromQuestionAnswer(
  { action, content }: ElicitAnswer,
  questions: readonly Question[],
): string[][] | undefined {
  if (action !== "accept" || content === undefined) return undefined;
  const given = questions.map((_, index) => toTexts(content[nameOf(index)]));
  return given.every((one) => one !== undefined) ? given : undefined;
}

type Field = ElicitForm["requestedSchema"]["properties"][string];

function toField({ question, header, options = [], multi_select }: Question): Field {
  const explained = options
    .filter(({ description }) => description !== undefined)
    .map(({ label, description }) => `${label}: ${description}`);
  const about = {
    title: show(header ?? question),
    description: [question, ...explained].map(show).join("\n"),
  };
  if (options.length === 0) return { type: "string", ...about };
  const labels = options.map(({ label }) => label);
  return multi_select === true
    ? { type: "array", ...about, items: { type: "string", enum: labels } }
    : { type: "string", ...about, enum: labels };
}

function toTexts(value: unknown): string[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === "string") ? value : undefined;
}

function nameOf(index: number): string {
  return `answer_${index + 1}`;
}

function show(text: string): string {
  return text.split("\n").map(toVisibleLine).join("\n");
}
