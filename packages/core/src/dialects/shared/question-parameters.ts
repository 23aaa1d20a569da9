import type { JsonSchema, ObjectSchema } from "@haft/contract";

/** What a family's questions have beside the question, its heading and the answers to choose from. */
export interface QuestionForm {
  /** How many questions may be put at once. */
  readonly most: number;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The parameters of a tool that puts questions. */
export function questionParameters({
  most,
  properties,
  required = [],
}: QuestionForm): ObjectSchema {
  const question: ObjectSchema = {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1, description: "The question, in full." },
      header: { type: "string", description: "What it is about, in a word or two." },
      options: { type: "array", description: "Answers to choose from.", items: option },
      ...properties,
    },
    required: ["question", ...required],
  };
  return {
    type: "object",
    properties: { questions: { type: "array", minItems: 1, maxItems: most, items: question } },
    required: ["questions"],
  };
}

const option: ObjectSchema = {
  type: "object",
  properties: {
    label: { type: "string", minLength: 1, description: "The answer." },
    description: { type: "string", description: "What it would mean." },
  },
  required: ["label"],
};
