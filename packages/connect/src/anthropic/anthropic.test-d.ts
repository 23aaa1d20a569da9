import type Anthropic from "@anthropic-ai/sdk";
import type { Session } from "@haft/core";
import { expectTypeOf, test } from "vitest";
import { runAnthropicCalls, toAnthropicTools } from "./index.ts";

declare const session: Session;
declare const message: Anthropic.Message;

test("the Messages API takes the tools and the answer, and its content can be run", () => {
  expectTypeOf(toAnthropicTools(session)).toExtend<Anthropic.ToolUnion[]>();
  const programmatic = { type: "code_execution_20260521" } as const;
  expectTypeOf(toAnthropicTools(session, { programmatic })).toExtend<Anthropic.ToolUnion[]>();
  expectTypeOf(
    runAnthropicCalls(session, message.content),
  ).resolves.toExtend<Anthropic.MessageParam>();
});
