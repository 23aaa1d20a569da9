import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  say,
  startModelServer,
} from "./index.ts";

describe("the model server", () => {
  it("says so when the script is at its end", async () => {
    expect((await ask(await start([]))).text).toBe("(no more answers)");
  });

  it("asks a function what to answer", async () => {
    const server = await start(async ({ lastText, model }, index) =>
      say(`${index} ${model} ${lastText}`),
    );
    expect((await ask(server)).text).toBe("0 qwen Go.");
    expect((await ask(server)).text).toBe("1 qwen Go.");
  });

  it("fails permanently if the function throws", async () => {
    const server = await start(() => {
      throw new Error("no idea");
    });
    await expect(ask(server)).rejects.toThrow("The script failed: Error: no idea");
  });

  it("keeps a limited number of requests", async () => {
    const server = await start(() => say("Yes."), { keepRequests: 2 });
    for (let time = 0; time < 5; time++) await ask(server);
    expect(server.requests).toHaveLength(2);
    expect(server.requestCount).toBe(5);
  });

  it("keeps nothing that was said, as a provider that stores nothing", async () => {
    const server = await start([say("Never said.")]);
    const reference = { type: "item_reference", id: "msg_1" };
    const response = await fetch(`${server.baseUrl("openai")}/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "gpt-4.1", input: [reference] }),
    });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Item with id 'msg_1' not found");
  });

  it("serves no other path", async () => {
    const server = await start([]);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
  });

  it("waits before it answers, unless the client goes", async () => {
    const server = await start([
      { text: "Late.", delayMs: 20 },
      { text: "Never.", delayMs: 60_000 },
    ]);
    expect((await ask(server)).text).toBe("Late.");
    const signal = AbortSignal.timeout(50);
    await expect(ask(server, signal)).rejects.toThrow();
  });
});

async function start(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options);
  onTestFinished(() => server.close());
  return server;
}

function ask(server: ModelServer, abortSignal?: AbortSignal): Promise<{ text: string }> {
  const baseURL = server.baseUrl("openai-compatible");
  const model = createOpenAICompatible({ name: "local", baseURL })("qwen");
  return generateText({ maxRetries: 0, model, prompt: "Go.", ...(abortSignal && { abortSignal }) });
}
