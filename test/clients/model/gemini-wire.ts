import { type Json, listAt, type ModelAnswer, type ModelWire, textOf, toEvent } from "./wire.ts";

/** Gemini's generateContent, as Gemini CLI speaks it. */
export const geminiWire: ModelWire = {
  handles: (path) => /:(?:streamG|g)enerateContent$/u.test(path),
  read: (body) => ({
    tools: listAt(body, "tools")
      .flatMap((tool) => listAt(tool, "functionDeclarations"))
      .map(({ name, parametersJsonSchema, parameters }) => ({
        name: String(name),
        parameters: parametersJsonSchema ?? parameters,
      })),
    results: listAt(body, "contents")
      .flatMap((content) => listAt(content, "parts"))
      .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse as Json] : []))
      .map(({ response }) => textOf((response as Json).output ?? response)),
  }),
  whole: toContent,
  stream: (answer) => [toEvent(toContent(answer))],
};

function toContent(answer: ModelAnswer): Json {
  return {
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [toPart(answer)] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
  };
}

function toPart(answer: ModelAnswer): Json {
  if (!("call" in answer)) return { text: answer.text };
  const { id, name, arguments: args } = answer.call;
  return { functionCall: { id, name, args } };
}
