import type { JsonSchema, ObjectSchema } from "@haft/contract";
import { type Given, leaveOut } from "./given.ts";

/** The parts of a family's question schema that differ between families. */
export interface QuestionForm {
  /** Maximum number of questions per call. */
  readonly maxQuestions: number;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Returns the parameters of a tool that asks questions. */
export function questionParameters({
  maxQuestions,
  properties,
  required = [],
}: QuestionForm): ObjectSchema {
  const question: ObjectSchema = {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1, description: "The complete question." },
      header: { type: "string", description: "Topic of the question in one or two words." },
      options: { type: "array", description: "Answers to choose from.", items: option },
      ...properties,
    },
    required: ["question", ...required],
  };
  return {
    type: "object",
    properties: {
      questions: { type: "array", minItems: 1, maxItems: maxQuestions, items: question },
    },
    required: ["questions"],
  };
}

const option: ObjectSchema = {
  type: "object",
  properties: {
    label: { type: "string", minLength: 1, description: "The answer, in a few words." },
    description: { type: "string", description: "What choosing this answer means." },
  },
  required: ["label"],
};

/** A question in the families' format. */
interface GivenQuestion {
  readonly id?: string;
  readonly question: string;
  readonly header?: string;
  readonly type?: string;
  readonly options?: readonly GivenOption[];
  readonly multiSelect?: boolean;
}

interface GivenOption {
  readonly label: string;
  readonly description?: string;
}

/** Returns the questions in the arguments. */
export function givenQuestions({ questions }: Given): readonly GivenQuestion[] {
  return questions as readonly GivenQuestion[];
}

/** Converts questions to the arguments of `question`. */
export function toQuestionArguments(given: Given): unknown {
  const questions = givenQuestions(given).map(({ question, header, type, options, multiSelect }) =>
    leaveOut({
      question,
      header: header || undefined,
      options: type === "yesno" ? [{ label: "Yes" }, { label: "No" }] : toOptions(options, type),
      multi_select: multiSelect,
    }),
  );
  return { questions };
}

function toOptions(
  options: readonly GivenOption[] | undefined,
  type: string | undefined,
): GivenOption[] | undefined {
  if (options === undefined || options.length === 0 || type === "text") return undefined;
  return options.map(({ label, description }) =>
    leaveOut({ label, description: description || undefined }),
  ) as GivenOption[];
}

/** Returns one array of answers per question. */
export function answersOf(data: unknown): readonly (readonly string[])[] {
  return (data as { readonly answers: readonly (readonly string[])[] }).answers;
}
