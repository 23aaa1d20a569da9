import type { Session } from "@haft/core";
import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import { runChatCalls, runResponsesCalls, toChatTools, toResponsesTools } from "./index.ts";

declare const session: Session;
declare const response: OpenAI.Responses.Response;
declare const message: OpenAI.ChatCompletionMessage;

test("the Responses API takes the tools and answers, and its output can be run", () => {
  expectTypeOf(toResponsesTools(session)).toExtend<OpenAI.Responses.Tool[]>();
  const programmatic = { allows: () => true };
  expectTypeOf(toResponsesTools(session, { programmatic })).toExtend<OpenAI.Responses.Tool[]>();
  expectTypeOf(
    runResponsesCalls(session, response.output),
  ).resolves.toExtend<OpenAI.Responses.ResponseInput>();
});

test("Chat Completions takes the tools and answers, and its calls can be run", () => {
  expectTypeOf(toChatTools(session)).toExtend<OpenAI.ChatCompletionTool[]>();
  expectTypeOf(runChatCalls(session, message.tool_calls)).resolves.toExtend<
    OpenAI.ChatCompletionMessageParam[]
  >();
});
