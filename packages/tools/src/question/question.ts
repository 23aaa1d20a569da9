import { defineTool, type Question, type Tool, ToolError } from "@haft/contract";

/** The arguments of `question`. */
export interface QuestionArguments {
  questions: Question[];
}

/** The result of `question`. */
export interface QuestionData {
  /** One array per question: the chosen options or the written answer; empty without an answer. */
  answers: string[][];
}

/**
 * The `question` tool: asks the person and waits for the answer.
 *
 * @example
 * ```ts
 * import { bash, question } from "@haft/tools";
 *
 * const tools = [bash, question];
 * ```
 */
export const question: Tool<QuestionArguments, QuestionData> = defineTool({
  id: "question",
  description: [
    "Asks the person and waits for the answers.",
    "Use it if only they can know, or if a wrong guess would be costly.",
    "If no person is present, it fails: use your best judgement.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 10,
        description: "The questions.",
        items: {
          type: "object",
          properties: {
            question: {
              type: "string",
              minLength: 1,
              maxLength: 4_000,
            },
            header: { type: "string", maxLength: 100 },
            options: {
              type: "array",
              maxItems: 20,
              description: "Without any, the person writes an answer.",
              items: {
                type: "object",
                properties: {
                  label: { type: "string", minLength: 1, maxLength: 200 },
                  description: {
                    type: "string",
                    maxLength: 1_000,
                  },
                },
                required: ["label"],
                additionalProperties: false,
              },
            },
            multi_select: {
              type: "boolean",
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
        description: "One list per question, in order.",
      },
    },
    required: ["answers"],
    additionalProperties: false,
  },
  requires: {},
  kind: "other",
  source: "builtin",
  // A person may take any time.
  timeoutMs: "none",
  // A person answers one call at a time.
  execution: { resourceKeys: () => [{ key: "question", mode: "write", type: "name" }] },
  execute: async ({ questions }, { host, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was asked.");
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
    `Two options of ${JSON.stringify(asked)} have the label ${JSON.stringify(twin)}. Give each option a different label.`,
  );
}
