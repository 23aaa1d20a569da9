import { defineTool, type Question, type Tool, ToolError } from "@haft/contract";

/** The arguments of `question`. */
export interface QuestionArguments {
  questions: Question[];
}

/** What the person answered. */
export interface QuestionData {
  /** One array per question: what was chosen or written, empty if nothing was. */
  answers: string[][];
}

/** Asks the person, and waits. */
export const question: Tool<QuestionArguments, QuestionData> = defineTool({
  id: "question",
  description: [
    "Asks the person one or more questions and waits for the answers: what they chose of the options, or what they wrote.",
    "Use it where only they can know, or where a wrong guess would cost much; find out the rest yourself.",
    "Where nobody is present it fails at once: then go on with your best judgement. It does not ask for permission: calls that need it ask by themselves.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 10,
        description: "They are asked together.",
        items: {
          type: "object",
          properties: {
            question: {
              type: "string",
              minLength: 1,
              maxLength: 4_000,
              description: "The question, in full.",
            },
            header: { type: "string", maxLength: 100, description: "What it is about, shortly." },
            options: {
              type: "array",
              maxItems: 20,
              description: "Answers to choose from; without them the person writes one.",
              items: {
                type: "object",
                properties: {
                  label: { type: "string", minLength: 1, maxLength: 200 },
                  description: {
                    type: "string",
                    maxLength: 1_000,
                    description: "What choosing it would mean.",
                  },
                },
                required: ["label"],
                additionalProperties: false,
              },
            },
            multi_select: {
              type: "boolean",
              description: "Several options may be chosen; false if left out.",
            },
          },
          required: ["question"],
          additionalProperties: false,
        },
      },
    },
    required: ["questions"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      answers: {
        type: "array",
        items: { type: "array", items: { type: "string" } },
        description: "One list per question, in their order.",
      },
    },
    required: ["answers"],
    additionalProperties: false,
  },
  requires: {},
  kind: "other",
  source: "builtin",
  // A person takes the time they take.
  timeoutMs: "none",
  // Nobody can be asked two things at once.
  execution: { resourceKeys: () => [{ key: "question", mode: "write", type: "name" }] },
  execute: async ({ questions }, { host, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Asked nothing: aborted.");
    for (const { question: asked, options = [] } of questions) requireDistinct(asked, options);
    const answers = await host.question(questions);
    return { answers: questions.map((_, at) => (answers[at] ?? []).map(String)) };
  },
});

function requireDistinct(asked: string, options: NonNullable<Question["options"]>): void {
  const labels = options.map(({ label }) => label);
  const twin = labels.find((label, at) => labels.indexOf(label) < at);
  if (twin === undefined) return;
  throw new ToolError(
    "invalid-arguments",
    `Two options of ${JSON.stringify(asked)} are called ${JSON.stringify(twin)}: nobody could tell which was chosen.`,
  );
}
