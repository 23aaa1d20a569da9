import type { JsonValue, Question } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";

const maxCharacters = 20_000;

/** Returns the name of the answer to a question in forms and answers with several. */
export function answerField(index: number): string {
  return `answer_${index + 1}`;
}

/** A JSON Schema that is plain data. */
export type AnswerSchema = Readonly<Record<string, JsonValue>>;

/** Returns the schema of the answers to questions. Options are choices, although other text is accepted, too. */
export function toAnswerSchema(questions: readonly Question[]): AnswerSchema {
  const [first] = questions;
  if (questions.length === 1 && first !== undefined) return toSchema(first);
  const fields = questions.map((question, index) => {
    const { header, question: description } = question;
    const title = header ?? description;
    return [answerField(index), { ...toSchema(question), title, description }] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  };
}

function toSchema({ options = [], multi_select }: Question): AnswerSchema {
  if (options.length === 0) return { type: "string", minLength: 1 };
  const choice: AnswerSchema = { type: "string", enum: options.map(({ label }) => label) };
  return multi_select === true ? { type: "array", items: choice } : choice;
}

/** Reads answers as a person sent them: one list per question, or a sentence about what is wrong. */
export function readAnswers(questions: readonly Question[], sent: unknown): string[][] | string {
  const isSingle = questions.length === 1;
  const given = isPlainObject(sent)
    ? questions.map((_, index) => sent[answerField(index)])
    : isSingle
      ? [sent]
      : sent;
  if (!Array.isArray(given) || given.length !== questions.length) {
    const names = questions.map((_, index) => answerField(index)).join(", ");
    return `Answer all questions, with an object of ${names}.`;
  }
  const answers = questions.map((question, index) => readOne(question, given[index]));
  const missing = answers.indexOf(undefined);
  if (missing >= 0) {
    const { options = [], multi_select } = questions[missing] as Question;
    const labels = options.map(({ label }) => JSON.stringify(label)).join(", ");
    const form = multi_select === true ? "a list of texts" : "a text";
    const which = isSingle ? "" : `${answerField(missing)}: `;
    return `${which}Answer with ${form}${labels === "" ? "" : `, such as ${labels}`}.`;
  }
  if (JSON.stringify(answers).length > maxCharacters) {
    return `The answer has more than ${maxCharacters} characters.`;
  }
  return answers as string[][];
}

function readOne({ multi_select }: Question, given: unknown): string[] | undefined {
  if (typeof given === "string") return given.trim() === "" ? undefined : [given];
  if (multi_select !== true || !Array.isArray(given)) return undefined;
  return given.every((each) => typeof each === "string") ? given : undefined;
}

/** Converts answers to the content of a form with a field for each question. */
export function toAnswerFields(
  questions: readonly Question[],
  answers: readonly (readonly string[])[],
): Readonly<Record<string, string | string[]>> {
  const fields = questions.map(({ multi_select }, index) => {
    const given = answers[index] ?? [];
    return [answerField(index), multi_select === true ? [...given] : given.join(", ")] as const;
  });
  return Object.fromEntries(fields);
}

/** Converts answers to the form in which they are sent. */
export function toSentAnswers(
  questions: readonly Question[],
  answers: readonly (readonly string[])[],
): JsonValue {
  const fields = toAnswerFields(questions, answers);
  return questions.length === 1 ? (fields[answerField(0)] ?? null) : fields;
}

/** Returns questions with their options as text. */
export function describeQuestions(questions: readonly Question[]): string {
  return questions
    .map(({ header, question, options = [] }) =>
      [
        header === undefined ? question : `${header}: ${question}`,
        ...options.map(({ label, description }) =>
          description === undefined ? `- ${label}` : `- ${label}: ${description}`,
        ),
      ].join("\n"),
    )
    .join("\n\n");
}
