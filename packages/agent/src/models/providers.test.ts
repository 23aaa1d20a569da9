import { dynamicTool, jsonSchema, type ModelMessage, streamText, type ToolSet } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  calls,
  type ModelScript,
  type ModelServer,
  say,
  startModelServer,
} from "../test-support/model-server/index.ts";
import type { OpenModel } from "./open-model.ts";
import { openModel } from "./open-model-by-name.ts";

const key = "a-key-of-mine";
const openings = [
  {
    provider: "openai",
    name: "openai/gpt-5",
    format: "responses",
    variable: "OPENAI_API_KEY",
    header: "authorization",
    value: `Bearer ${key}`,
  },
  {
    provider: "anthropic",
    name: "anthropic/claude-sonnet-4-5",
    format: "anthropic",
    variable: "ANTHROPIC_API_KEY",
    header: "x-api-key",
    value: key,
  },
  {
    provider: "google",
    name: "google/gemini-3-pro",
    format: "gemini",
    variable: "GOOGLE_API_KEY",
    header: "x-goog-api-key",
    value: key,
  },
  {
    provider: "openai-compatible",
    name: "openai-compatible/some/model",
    format: "chat",
    variable: "OPENAI_COMPATIBLE_API_KEY",
    header: "authorization",
    value: `Bearer ${key}`,
  },
] as const;

const schema = jsonSchema({ type: "object", properties: { path: { type: "string" } } });
const tools: ToolSet = { read: dynamicTool({ description: "Reads.", inputSchema: schema }) };

describe.each(openings)("a model of $provider", ({ provider, name, format, variable, ...sent }) => {
  it("makes calls, keeps its reasoning, and continues with their results", async () => {
    const server = await start([
      {
        reasoning: "Both are needed.",
        text: "I read ",
        ...calls([
          ["read", { path: "a" }],
          ["read", { path: "b" }],
        ]),
      },
      say(["They are ", "the same."]),
    ]);
    const baseUrl = server.baseUrl(provider);
    const opened = await openModel(name, {
      settings: {},
      environment: { [variable]: key },
      baseUrl,
    });
    const messages: ModelMessage[] = [{ role: "user", content: "Compare them." }];
    await answerCalls(opened, messages);
    const { text } = ask(opened, messages);
    expect(await text).toBe("They are the same.");

    const [first, second] = server.requests;
    expect(first).toMatchObject({ format, system: "Be brief.", toolNames: ["read"] });
    expect(first?.model).toBe(name.slice(name.indexOf("/") + 1));
    expect(first?.headers[sent.header]).toBe(sent.value);
    expect(second?.messages).toEqual([
      { role: "user", text: "Compare them." },
      {
        role: "assistant",
        text: "I read ",
        calls: [
          { id: "call_1_1", name: "read", arguments: { path: "a" } },
          { id: "call_1_2", name: "read", arguments: { path: "b" } },
        ],
      },
      {
        role: "tool",
        text: "what is in a\nwhat is in b",
        results: [
          { callId: "call_1_1", text: "what is in a" },
          { callId: "call_1_2", text: "what is in b" },
        ],
      },
    ]);
  });

  it("is asked without a key on this machine", async () => {
    const server = await start([say("Yes.")]);
    const baseUrl = server.baseUrl(provider);
    const opened = await openModel(name, { settings: {}, environment: {}, baseUrl });
    expect(await ask(opened, [{ role: "user", content: "There?" }]).text).toBe("Yes.");
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain(key);
  });

  it("is where the user's settings say", async () => {
    const server = await start([say("Here.")]);
    const baseUrl = server.baseUrl(provider);
    const settings = { providers: { [provider]: { baseUrl, apiKeyVariable: "MY_KEY" } } };
    const opened = await openModel(name, { settings, environment: { MY_KEY: key } });
    expect(await ask(opened, [{ role: "user", content: "Where?" }]).text).toBe("Here.");
    expect(server.requests[0]?.headers[sent.header]).toBe(sent.value);
  });

  it("tells what was used", async () => {
    const server = await start([{ text: "Yes.", usage: { input: 90, output: 8, cached: 60 } }]);
    const baseUrl = server.baseUrl(provider);
    const opened = await openModel(name, { settings: {}, environment: {}, baseUrl });
    expect(await ask(opened, [{ role: "user", content: "So?" }]).usage).toMatchObject({
      inputTokens: 90,
      inputTokenDetails: { cacheReadTokens: 60 },
      outputTokens: 8,
    });
  });
});

describe("what goes with a talk", () => {
  const thinking: ModelScript = [
    { reasoning: "Hm.", ...calls([["read", { path: "a" }]]) },
    say("So."),
  ];

  it("is all of it at OpenAI's, what it thought sealed, because nothing is stored there", async () => {
    const [first, second] = await talk("openai/gpt-5", thinking);
    expect(first).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(second?.input).toMatchObject([
      { role: "developer" },
      { role: "user" },
      { type: "reasoning", encrypted_content: "sealed 1" },
      { type: "function_call", call_id: "call_1_1" },
      { type: "function_call_output", call_id: "call_1_1" },
    ]);
  });

  it("is kept at Anthropic's for the next request, with its signature", async () => {
    const [first, second] = await talk("anthropic/claude-sonnet-4-5", thinking);
    expect(first?.system).toMatchObject([{ cache_control: { type: "ephemeral" } }]);
    const messages = second?.messages as { content: Record<string, unknown>[] }[];
    expect(messages.at(-1)?.content.at(-1)).toMatchObject({ cache_control: { type: "ephemeral" } });
    expect(messages[0]?.content[0]).not.toHaveProperty("cache_control");
    expect(messages[1]?.content[0]).toMatchObject({ type: "thinking", signature: "signature 1" });
  });

  it("is a picture's name only where a result has no room for pictures", async () => {
    const server = await start([say("I see.")]);
    const baseUrl = server.baseUrl("openai-compatible");
    const opened = await openModel("openai-compatible/x", {
      settings: {},
      environment: {},
      baseUrl,
    });
    const call = { toolCallId: "1", toolName: "read" };
    const picture = { type: "data", data: "aGVsbG8=" } as const;
    const value = [
      { type: "text", text: "a.png" } as const,
      { type: "file", mediaType: "image/png", data: picture } as const,
    ];
    await ask(opened, [
      { role: "user", content: "Look." },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", ...call, output: { type: "content", value } }],
      },
    ]).text;
    expect(server.requests[0]?.lastText).toBe("a.png\n[image/png: can't be shown to this model.]");
  });

  it("has Google's signature with the call", async () => {
    const [, second] = await talk("google/gemini-3-pro", thinking);
    expect(JSON.stringify(second?.contents)).toContain('"thoughtSignature":"signature 1"');
  });
});

async function talk(
  name: string,
  script: ModelScript,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const server = await start(script);
  const baseUrl = server.baseUrl(name.startsWith("google") ? "google" : "openai");
  const opened = await openModel(name, { settings: {}, environment: {}, baseUrl });
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
  await answerCalls(opened, messages);
  await ask(opened, messages).text;
  return server.requests.map(({ body }) => body);
}

// As it is on disk in between: what does not survive JSON is lost.
async function answerCalls(opened: OpenModel, messages: ModelMessage[]): Promise<void> {
  const answer = ask(opened, messages);
  const made = await answer.toolCalls;
  const said = JSON.parse(JSON.stringify((await answer.response).messages)) as ModelMessage[];
  messages.push(...said, {
    role: "tool",
    content: made.map(({ toolCallId, toolName, input }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: "text", value: `what is in ${(input as { path: string }).path}` },
    })),
  });
}

function ask({ model }: OpenModel, messages: ModelMessage[]): ReturnType<typeof streamText> {
  return streamText({ model, instructions: "Be brief.", messages, tools, maxRetries: 0 });
}

async function start(script: ModelScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}
