import { type Question, ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { answerElicitation } from "./answer-elicitation.ts";

const properties = {
  color: { type: "string", title: "Color", oneOf: [{ const: "r", title: "Red" }, { const: "b" }] },
  sizes: { type: "array", items: { enum: ["S", "M", "L"] } },
  count: { type: "integer" },
  gift: { type: "boolean", description: "Wrap\u001b[31m it" },
  note: { type: "string" },
};
const form = { properties, required: ["color", "count"] };

function answer(schema: object, answers: readonly (readonly string[])[]): Promise<unknown> {
  const params = { message: "Which one?", requestedSchema: schema };
  return answerElicitation("s", params, async () => answers.map((one) => [...one]));
}

describe("answerElicitation", () => {
  it("asks a question for each field and returns the values that the server expects", async () => {
    const asked: Question[] = [];
    const params = { message: "Which one?", requestedSchema: form };
    const elicited = await answerElicitation("s", params, async (questions) => {
      asked.push(...questions);
      return [["r"], ["S", "L"], ["3"], ["yes"], [""]];
    });
    const content = { color: "r", sizes: ["S", "L"], count: 3, gift: true };
    expect(elicited).toEqual({ action: "accept", content });
    expect(asked).toEqual([
      {
        question: "The MCP server s asks: Which one?\n\nColor",
        options: [{ label: "r", description: "Red" }, { label: "b" }],
      },
      {
        question: "sizes (optional)",
        options: [{ label: "S" }, { label: "M" }, { label: "L" }],
        multi_select: true,
      },
      { question: "count" },
      { question: "gift: Wrap it (optional)", options: [{ label: "yes" }, { label: "no" }] },
      { question: "note (optional)" },
    ]);
  });

  it.each([
    ["a color that is no choice", form, [["x"], [], ["3"], [], []], "cancel"],
    ["a count that is no number", form, [["r"], [], ["many"], [], []], "cancel"],
    ["a required field without an answer", form, [], "cancel"],
    ["a form that can't be asked", { properties: { a: { type: "object" } } }, [["x"]], "cancel"],
    [
      "a yes or no that is neither",
      { properties: { a: { type: "boolean" } }, required: ["a"] },
      [["constructor"]],
      "cancel",
    ],
    ["a form without properties", {}, [["x"]], "cancel"],
    ["a yes to a form without fields", { properties: {} }, [["yes"]], "accept"],
    ["a no to a form without fields", { properties: {} }, [["no"]], "decline"],
  ])("handles %s", async (...[, schema, answers, action]) => {
    expect(await answer(schema, answers)).toMatchObject({ action });
  });

  it.each([
    ["cancels without a person", "headless", "cancel"],
    ["declines if the person refuses", "rejected-by-user", "decline"],
  ] as const)("%s", async (_, code, action) => {
    const params = { message: "Which?", requestedSchema: form };
    const refuse = (): Promise<never> => Promise.reject(new ToolError(code, "No."));
    expect(await answerElicitation("s", params, refuse)).toEqual({ action });
  });
});
