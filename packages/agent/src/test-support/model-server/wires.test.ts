import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  dynamicTool,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
} from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  call,
  calls,
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  say,
  startModelServer,
} from "./index.ts";

interface Pair {
  readonly name: string;
  readonly format: string;
  open(server: ModelServer): LanguageModel;
  /** Whether it says what it thinks. */
  readonly reasons: boolean;
}

const apiKey = "a-key";
const pairs: readonly Pair[] = [
  {
    name: "OpenAI Responses",
    format: "responses",
    open: (server) => createOpenAI({ apiKey, baseURL: server.baseUrl("openai") })("gpt-5"),
    reasons: true,
  },
  {
    name: "OpenAI Chat",
    format: "chat",
    open: (server) => createOpenAI({ apiKey, baseURL: server.baseUrl("openai") }).chat("gpt-4.1"),
    reasons: false,
  },
  {
    name: "a compatible server",
    format: "chat",
    open: (server) =>
      createOpenAICompatible({ name: "local", baseURL: server.baseUrl("openai-compatible") })(
        "qwen",
      ),
    reasons: true,
  },
  {
    name: "Anthropic",
    format: "anthropic",
    open: (server) =>
      createAnthropic({ apiKey, baseURL: server.baseUrl("anthropic") })("claude-sonnet-4-5"),
    reasons: true,
  },
  {
    name: "Gemini",
    format: "gemini",
    open: (server) => createGoogle({ apiKey, baseURL: server.baseUrl("google") })("gemini-3-pro"),
    reasons: true,
  },
];

const schema = jsonSchema({ type: "object", properties: { at: { type: "string" } } });
const tools: ToolSet = { look: dynamicTool({ description: "Looks.", inputSchema: schema }) };

// Nothing is stored at a provider's, so that what was said is sent again.
const settings = { maxRetries: 0, providerOptions: { openai: { store: false } } };

describe.each(pairs)("the model server as $name", ({ open, format, reasons }) => {
  it("streams text in its pieces", async () => {
    const server = await start([say(["One ", "two ", "three."])]);
    const pieces: string[] = [];
    const { textStream } = streamText({ ...settings, model: open(server), prompt: "Count." });
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces).toEqual(["One ", "two ", "three."]);
  });

  it("answers in one piece", async () => {
    const server = await start([{ ...call("look", { at: "x" }), text: ["Let me ", "see."] }]);
    const answer = await generateText({ ...settings, model: open(server), prompt: "Go.", tools });
    expect(answer.text).toBe("Let me see.");
    expect(answer.toolCalls).toMatchObject([{ toolName: "look", input: { at: "x" } }]);
    expect(answer.finishReason).toBe("tool-calls");
    expect(server.requests[0]?.isStreamed).toBe(false);
  });

  it("thinks where the format has room for it", async () => {
    const server = await start([{ reasoning: "Hm.", text: "Yes." }]);
    const answer = streamText({ ...settings, model: open(server), prompt: "So?" });
    expect(await answer.text).toBe("Yes.");
    expect(await answer.reasoningText).toBe(reasons ? "Hm." : undefined);
  });

  it("makes several calls at once, and gets their results", async () => {
    const server = await start([
      {
        reasoning: "Two are enough.",
        text: "I look.",
        ...calls([{ id: "first", name: "look", arguments: { at: "a" } }, ["look", { at: "b" }]]),
      },
      say("Done."),
    ]);
    const model = open(server);
    const messages: ModelMessage[] = [{ role: "user", content: "Look twice." }];
    const instructions = "Be brief.";
    const first = streamText({ ...settings, model, messages, tools, instructions });
    const made = await first.toolCalls;
    expect(made.map(({ input }) => input)).toEqual([{ at: "a" }, { at: "b" }]);
    messages.push(...(await first.response).messages, {
      role: "tool",
      content: made.map(({ toolCallId, toolName }, index) => ({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type: "text", value: `seen ${index}` },
      })),
    });
    const second = streamText({ ...settings, model, messages, tools, instructions });
    expect(await second.text).toBe("Done.");

    const request = server.requests[1];
    expect(request?.format).toBe(format);
    expect(request?.system).toBe("Be brief.");
    expect(request?.toolNames).toEqual(["look"]);
    expect(request?.lastText).toBe("seen 0\nseen 1");
    expect(request?.messages).toEqual([
      { role: "user", text: "Look twice." },
      {
        role: "assistant",
        text: "I look.",
        calls: [
          { id: "first", name: "look", arguments: { at: "a" } },
          { id: "call_1_2", name: "look", arguments: { at: "b" } },
        ],
      },
      {
        role: "tool",
        text: "seen 0\nseen 1",
        results: [
          { callId: "first", text: "seen 0" },
          { callId: "call_1_2", text: "seen 1" },
        ],
      },
    ]);
  });

  it("sends arguments that are not JSON as they are", async () => {
    const server = await start([call("look", '{"at": ')]);
    const answer = streamText({ ...settings, model: open(server), prompt: "Go.", tools });
    expect(await answer.toolCalls).toMatchObject([{ toolName: "look", invalid: true }]);
  });

  it("tells what was used and why it ended", async () => {
    const usage = { input: 120, output: 30, cached: 100 };
    const server = await start([{ text: "Cut o", usage, finish: "length" }]);
    const answer = streamText({ ...settings, model: open(server), prompt: "Go." });
    expect(await answer.finishReason).toBe("length");
    expect(await answer.usage).toMatchObject({
      inputTokens: 120,
      inputTokenDetails: { cacheReadTokens: 100 },
      outputTokens: 30,
    });
  });

  it("fails as the provider does", async () => {
    const failure = { status: 429, error: "Too fast.", headers: { "retry-after": "7" } };
    const server = await start([failure]);
    const asked = generateText({ ...settings, model: open(server), prompt: "Go." });
    const error = await asked.catch((reason: unknown) => reason);
    expect(APICallError.isInstance(error) && error).toMatchObject({
      statusCode: 429,
      message: "Too fast.",
      isRetryable: true,
      responseHeaders: { "retry-after": "7" },
    });
  });

  it("breaks off in the middle of a stream", async () => {
    const server = await start([{ text: ["One ", "two ", "three."], dropAfter: 4 }]);
    const { text, errors } = await readAll(open(server));
    expect("One two three.".startsWith(text) && text !== "").toBe(true);
    expect(errors).toHaveLength(1);
  });

  it("reports a failure in the middle of a stream", async () => {
    const server = await start([{ text: ["One ", "two."], failAfter: 4, error: "Overloaded." }]);
    const { errors } = await readAll(open(server));
    expect(JSON.stringify(errors.map((error) => toMessage(error)))).toContain("Overloaded.");
  });

  it("hangs until the client goes", async () => {
    const server = await start([{ text: "Never said.", hang: true }, say("Back.")]);
    const control = new AbortController();
    const hanging = streamText({
      ...settings,
      model: open(server),
      prompt: "Go.",
      abortSignal: control.signal,
    });
    const types: string[] = [];
    const ended = (async () => {
      for await (const { type } of hanging.stream) types.push(type);
    })();
    await expect.poll(() => server.requestCount).toBe(1);
    control.abort();
    await ended;
    expect(types).toContain("abort");
    expect((await generateText({ ...settings, model: open(server), prompt: "Go." })).text).toBe(
      "Back.",
    );
  });
});

async function start(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options);
  onTestFinished(() => server.close());
  return server;
}

async function readAll(model: LanguageModel): Promise<{ text: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  let text = "";
  const { stream } = streamText({
    ...settings,
    model,
    prompt: "Go.",
    onError: () => undefined,
  });
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") text += part.text;
      if (part.type === "error") errors.push(part.error);
    }
  } catch (error) {
    errors.push(error);
  }
  return { text, errors };
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}
