import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { APICallError, generateText, RetryError, streamText } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelAnswer, startModelServer } from "../test-support/model-server/index.ts";
import { describeModelError, type ModelErrorDescription } from "./describe-model-error.ts";
import { openModel } from "./open-model-by-name.ts";

const key = "sk-proj-Zq81Xk2LmN0pRs7TuVw9YaBcDeF3gHiJ";
const names = [
  ["openai", "openai/gpt-5", "OPENAI_API_KEY"],
  ["anthropic", "anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
  ["google", "google/gemini", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ["openai-compatible", "openai-compatible/qwen", "OPENAI_COMPATIBLE_API_KEY"],
] as const;

describe.each(names)("an error of %s", (provider, name, variable) => {
  const environment = { [variable]: key };
  const ask = (answer: ModelAnswer): Promise<ModelErrorDescription> =>
    fail(name, answer, environment);

  it("names the variable of a key that is not accepted, and never the key", async () => {
    const described = await ask({ status: 401, error: `Incorrect API key provided: ${key}.` });
    expect(described).toEqual({
      message: `${provider} does not accept the key in ${variable}. Set ${variable} to a valid key.`,
      isRetryable: false,
    });
  });

  it("says that the model is not known", async () => {
    const { message, isRetryable } = await ask({ status: 404, error: "Not found." });
    expect(message).toMatch(
      /^\S+ has no model \S+, or not for this key at http:\/\/127\.0\.0\.1:\d+\/\S+\. Check the name/u,
    );
    expect(isRetryable).toBe(false);
  });

  it("tells how long the provider asks to wait", async () => {
    const headers = { "retry-after": "7" };
    expect(await ask({ status: 429, error: "Slow down.", headers })).toEqual({
      message: `${provider} limits the rate of requests: Slow down. Try again later.`,
      isRetryable: true,
      retryAfterMs: 7000,
    });
  });

  it("reports a provider in trouble", async () => {
    expect(await ask({ status: 503, error: "Maintenance." })).toEqual({
      message: `${provider} could not answer (503): Maintenance. Try again later.`,
      isRetryable: true,
    });
  });

  it("tells what a provider does not like about a request, without a key that it repeats", async () => {
    const described = await ask({ status: 400, error: `Header Bearer ${key}\nis odd.` });
    expect(described.message).toMatch(/rejected the request to \S+: Header Bearer \S+ is odd\.$/u);
    expect(described.message).not.toContain(key.slice(8));
    expect(described.isRetryable).toBe(false);
  });

  it.each([
    "This model's maximum context length is 128000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    "the request exceeds the available context size, try increasing it",
  ])("knows a thread that is too long: %s", async (error) => {
    expect(await ask({ status: 400, error })).toMatchObject({
      message: expect.stringContaining("too long for"),
      isRetryable: false,
      isContextTooLong: true,
    });
  });

  it("knows a stream that broke off", async () => {
    expect(await ask({ text: ["One ", "two ", "three."], dropAfter: 2 })).toEqual({
      message: `The answer of ${name} was interrupted. Try again.`,
      isRetryable: true,
    });
  });

  it("knows an error in the middle of a stream", async () => {
    const { message } = await ask({ text: ["One ", "two."], failAfter: 3, error: "Overloaded" });
    expect(message).toContain("Overloaded");
  });

  it("names the place where nothing answers", async () => {
    const port = await findFreePort();
    const { message, isRetryable } = await failAt(name, `http://127.0.0.1:${port}/v1`, environment);
    expect(message).toContain(`No server is listening at http://127.0.0.1:${port}/v1`);
    expect(message).toContain("--base-url");
    expect(isRetryable).toBe(false);
  });

  it("knows a page that is no model", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const { model } = await openModel(name, { settings: {}, environment, baseUrl });
    const asked = generateText({ model, prompt: "Go.", maxRetries: 0 });
    const { message, isRetryable } = describeModelError(await asked.catch((error) => error), name);
    expect(message).toContain(`${provider} can't be parsed at ${baseUrl}`);
    expect(isRetryable).toBe(false);
  });
});

describe("an error of a model", () => {
  it("is not worth another try if the account is empty", async () => {
    const error = {
      error: { message: "Quota.", type: "insufficient_quota", code: "insufficient_quota" },
    };
    const described = await fail("openai/gpt-5", { status: 429, error }, {});
    expect(described).toMatchObject({ isRetryable: false });
    expect(described.message).toContain("billing");
  });

  it("says how long to wait in Google's way", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" }];
    const error = {
      error: { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED", details },
    };
    const described = await fail("google/gemini", { status: 429, error }, {});
    expect(described.retryAfterMs).toBe(37_000);
  });

  it.each([
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-3" }, undefined],
  ])("reads %j", async (headers, expected) => {
    const described = await fail("openai/gpt-5", { status: 429, headers }, {});
    expect(described.retryAfterMs).toBe(expected);
  });

  it.each([
    ["ENOTFOUND", "was not found at https://host/v1", false],
    ["EAI_AGAIN", "was not found at https://host/v1", true],
    ["ECONNREFUSED", "No server is listening at https://host/v1", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS", false],
    ["UND_ERR_HEADERS_TIMEOUT", "did not answer in time", true],
    ["ECONNRESET", "The connection to openai was lost", true],
  ])("reports %s", (code, words, isRetryable) => {
    const cause = Object.assign(new Error("failed"), { code });
    const url = "https://host/v1?key=hidden";
    const error = new APICallError({ message: "no", url, requestBodyValues: {}, cause });
    const described = describeModelError(error, "openai/gpt-5");
    expect(described.message).toContain(words);
    expect(described.message).not.toContain("hidden");
    expect(described.isRetryable).toBe(isRetryable);
  });

  it("is not reported if the request was aborted", () => {
    const error = Object.assign(new Error("no"), { name: "AbortError" });
    expect(describeModelError(error, "openai/gpt-5").message).toBe(
      "The request to openai/gpt-5 was stopped.",
    );
  });

  it("is found inside a retry error", async () => {
    const server = await startModelServer([{ status: 500 }]);
    onTestFinished(() => server.close());
    const settings = {};
    const baseUrl = server.baseUrl("openai");
    const { model } = await openModel("openai/gpt-5", { settings, environment: {}, baseUrl });
    const inner = await generateText({ model, prompt: "Go.", maxRetries: 0 }).catch(
      (error) => error,
    );
    const error = new RetryError({
      message: "3 times",
      reason: "maxRetriesExceeded",
      errors: [inner],
    });
    expect(describeModelError(error, "openai/gpt-5").message).toContain("could not answer (500)");
  });

  it.each([
    undefined,
    null,
    7,
    "odd",
    {},
    new Error(""),
    new Error("odd"),
    { error: { message: "odd" } },
  ])("may be anything: %j", (error) => {
    const { message, isRetryable } = describeModelError(error, "openai/gpt-5");
    expect(message).toMatch(/^The request to openai\/gpt-5 failed(?:: odd)?\.$/u);
    expect(isRetryable).toBe(false);
  });

  it("is short", () => {
    const { message } = describeModelError(new Error("x ".repeat(5000)), "openai/gpt-5");
    expect(message.length).toBeLessThan(400);
  });
});

async function fail(
  name: string,
  answer: ModelAnswer,
  environment: Record<string, string>,
): Promise<ModelErrorDescription> {
  const server = await startModelServer(() => answer);
  onTestFinished(() => server.close());
  return failAt(name, `${server.url}/v1`, environment);
}

async function failAt(
  name: string,
  baseUrl: string,
  environment: Record<string, string>,
): Promise<ModelErrorDescription> {
  const { model, keyVariable } = await openModel(name, { settings: {}, environment, baseUrl });
  const { stream } = streamText({ model, prompt: "Go.", maxRetries: 0, onError: () => undefined });
  try {
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
    }
  } catch (error) {
    return describeModelError(error, name, { keyVariable, environment });
  }
  throw new Error("It went well.");
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
