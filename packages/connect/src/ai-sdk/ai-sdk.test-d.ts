import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { generateText, type LanguageModel, streamText, type ToolSet, tool } from "ai";
import { expectTypeOf, test } from "vitest";
import { toAiSdkTools, toPrepareStep, toToolApproval } from "./index.ts";

declare const session: Session;
declare const model: LanguageModel;

test("the AI SDK takes the tools, the approval and the preparation of a step", () => {
  const tools = toAiSdkTools(session);
  expectTypeOf(tools).toExtend<ToolSet>();
  const toolApproval = toToolApproval(session);
  const prepareStep = toPrepareStep(session, tools);
  const options = { model, tools, toolApproval, prepareStep, prompt: "Go." };
  expectTypeOf(generateText).toBeCallableWith(options);
  expectTypeOf(streamText).toBeCallableWith(options);
});

test("they go beside tools of others", () => {
  const own = tool({ description: "Mine.", inputSchema: session as never, execute: () => 1 });
  const tools = { ...toAiSdkTools(session), own };
  expectTypeOf(tools).toExtend<ToolSet>();
  const toolApproval = toToolApproval(session);
  const prepareStep = toPrepareStep(session, tools);
  void generateText({ model, tools, toolApproval, prepareStep, prompt: "Go." });
});

test("a result is the envelope", () => {
  const { read } = toAiSdkTools(session);
  expectTypeOf(read?.execute).exclude(undefined).returns.resolves.toEqualTypeOf<ToolResult>();
});
