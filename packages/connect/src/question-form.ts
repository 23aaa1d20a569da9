import { answerField } from "@haft/computer/internal";
import type { Question } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";

/** A form with one field per question, as MCP and ACP clients show it to a person. */
export interface QuestionForm<Field> {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Record<string, Field>;
    readonly required: string[];
  };
}

/** The protocol-specific part of a form: its text fields and its choices. */
export type ToField<Field> = (
  question: Question,
  text: { readonly title: string; readonly description: string },
) => Field;

/** Makes the form for questions. `toField` writes each field in the protocol's own schema. */
export function toQuestionForm<Field>(
  questions: readonly Question[],
  toField: ToField<Field>,
): QuestionForm<Field> {
  const fields = questions.map((question, index) => {
    const description = toVisibleText(question.question);
    const title = question.header === undefined ? description : toVisibleText(question.header);
    return [answerField(index), toField(question, { title, description })] as const;
  });
  return {
    message: questions.map(({ question }) => toVisibleText(question)).join("\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(fields),
      required: fields.map(([name]) => name),
    },
  };
}

/**
 * Reads the content of a submitted form: one array of answers per question. Returns `undefined` if
 * an answer is missing or malformed.
 */
export function readQuestionAnswers(
  content: Readonly<Record<string, unknown>>,
  questions: readonly Question[],
): string[][] | undefined {
  const answers = questions.map((_, index) => toTexts(content[answerField(index)]));
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

function toTexts(value: unknown): string[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === "string") ? value : undefined;
}
