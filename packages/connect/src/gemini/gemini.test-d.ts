import type { GenerateContentResponse, Part, Tool } from "@google/genai";
import type { Session } from "@haft/core";
import { expectTypeOf, test } from "vitest";
import { runGeminiCalls, toGeminiTools } from "./index.ts";

declare const session: Session;
declare const response: GenerateContentResponse;

test("Gemini takes the tools and the answers, and its calls can be run", () => {
  expectTypeOf(toGeminiTools(session)).toExtend<Tool[]>();
  expectTypeOf(runGeminiCalls(session, response.functionCalls)).resolves.toExtend<Part[]>();
});
