import { describe, expect, it } from "vitest";
import type { ModelSettings } from "./model-settings.ts";
import type { OpenModel } from "./open-model.ts";
import { openModel } from "./open-model-by-name.ts";

const key = "sk-test-0123456789abcdef";
const environment = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key };

describe("a model's name", () => {
  it.each([
    ["openai/gpt-5", "openai.responses", "gpt-5"],
    ["anthropic/claude-sonnet-4-5", "anthropic.messages", "claude-sonnet-4-5"],
    ["google/gemini-3-pro", "google.generative-ai", "gemini-3-pro"],
  ])("opens %s", async (name, provider, modelId) => {
    const opened = await open(name);
    expect(opened).toMatchObject({ name, model: { provider, modelId } });
  });

  it("may have more slashes", async () => {
    const { model } = await open("openai-compatible/meta/llama/3", { baseUrl: "http://host/v1" });
    expect(model).toMatchObject({ modelId: "meta/llama/3" });
  });

  it.each(["gpt-5", "openai/", "openai/ ", ""])(
    "needs a provider and a model: %j",
    async (name) => {
      await expect(open(name)).rejects.toThrow(
        new TypeError(
          `${JSON.stringify(name)} is not a model name. Use PROVIDER/MODEL, such as openai/gpt-5. Providers: openai, anthropic, google and openai-compatible.`,
        ),
      );
    },
  );

  it("suggests the provider that was most likely meant", async () => {
    await expect(open("antropic/claude")).rejects.toThrow(
      'There is no provider "antropic". Did you mean anthropic/claude? Providers: openai, anthropic, google and openai-compatible.',
    );
    await expect(open("mistral/large")).rejects.toThrow(
      'There is no provider "mistral". Providers: openai,',
    );
  });

  it.each(["toString/x", "__proto__/x", "constructor/x"])(
    "is not that of an object's: %s",
    async (name) => {
      await expect(open(name)).rejects.toThrow("There is no provider");
    },
  );
});

describe("a key", () => {
  it.each([
    ["openai/gpt-5", "OPENAI_API_KEY"],
    ["anthropic/claude", "ANTHROPIC_API_KEY"],
    ["google/gemini", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ])("is asked for by the name of its variable: %s", async (name, variable) => {
    await expect(open(name, { environment: {} })).rejects.toThrow(
      new TypeError(
        `${name} needs a key in ${variable}. Set it where you start Haft: export ${variable}=YOUR_KEY`,
      ),
    );
    await expect(open(name, { environment: { [variable]: " " } })).rejects.toThrow(TypeError);
  });

  it.each(["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"])(
    "for Google may be in %s",
    async (variable) => {
      const opened = await open("google/gemini", { environment: { [variable]: key } });
      expect(opened.keyVariable).toBe(variable);
    },
  );

  it("is not needed for what runs on this machine", async () => {
    for (const baseUrl of ["http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:1/v1"]) {
      await expect(open("openai/gpt-5", { environment: {}, baseUrl })).resolves.toBeDefined();
    }
    for (const baseUrl of ["https://127.0.0.1.example.com/v1", "https://10.0.0.1/v1"]) {
      await expect(open("openai/gpt-5", { environment: {}, baseUrl })).rejects.toThrow(
        "needs a key",
      );
    }
  });

  it("is in the variable that the settings name", async () => {
    const settings = { providers: { openai: { apiKeyVariable: "WORK_KEY" } } };
    await expect(open("openai/gpt-5", { settings })).rejects.toThrow("needs a key in WORK_KEY");
    const opened = await open("openai/gpt-5", { settings, environment: { WORK_KEY: key } });
    expect(opened.keyVariable).toBe("WORK_KEY");
  });
});

describe("a base URL", () => {
  it("has to be given for a compatible server", async () => {
    await expect(open("openai-compatible/qwen")).rejects.toThrow(
      /needs a base URL\. Use --base-url URL/u,
    );
    const settings = { providers: { "openai-compatible": { baseUrl: "http://host/v1" } } };
    await expect(open("openai-compatible/qwen", { settings })).resolves.toBeDefined();
  });

  it.each(["nonsense", "127.0.0.1:8080", "file:///etc/passwd", "http://", ""])(
    "has to be one: %j",
    async (baseUrl) => {
      await expect(open("openai/gpt-5", { baseUrl })).rejects.toThrow(
        /^--base-url is not a URL: /u,
      );
    },
  );

  it("has no password in it, and shows none", async () => {
    const opening = open("openai/gpt-5", { baseUrl: "http://me:hunter2hunter2@host/v1" });
    const error = await opening.catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain("hunter2");
    await expect(open("openai/x", { baseUrl: "ftp://me:hunter2hunter2@host" })).rejects.toThrow(
      "//…@host",
    );
  });

  it("is looked for in the provider's variable, and says which if it is wrong", async () => {
    const wrong = { ...environment, ANTHROPIC_BASE_URL: "nonsense" };
    await expect(open("anthropic/claude", { environment: wrong })).rejects.toThrow(
      "ANTHROPIC_BASE_URL is not a URL",
    );
    const empty = { ...environment, OPENAI_BASE_URL: "" };
    await expect(open("openai/gpt-5", { environment: empty })).resolves.toBeDefined();
  });
});

describe("what is known of a model", () => {
  const name = "openai/gpt-5";

  it("is a conservative default if not configured", async () => {
    expect(await open(name)).toMatchObject({ form: "plain", contextTokens: 128_000 });
    expect(await open("google/gemini")).toMatchObject({ form: "gemini", contextTokens: 1_000_000 });
  });

  it("limits the output of other models on Anthropic's API", async () => {
    expect((await open("anthropic/glm-4.6")).outputTokens).toBe(8192);
    expect((await open("anthropic/claude-opus-5")).outputTokens).toBeUndefined();
  });

  it("is what the settings say, of the model first", async () => {
    const settings = {
      contextTokens: 50_000,
      models: { [name]: { contextTokens: 400_000, outputTokens: 9000 } },
      prices: { [name]: { input: 1, output: 2 } },
    };
    expect(await open(name, { settings })).toMatchObject({
      contextTokens: 400_000,
      outputTokens: 9000,
      price: { input: 1, output: 2 },
    });
    expect((await open("openai/gpt-6", { settings })).contextTokens).toBe(50_000);
  });

  it("must include its price if costs are limited", async () => {
    await expect(open(name, { settings: { maxCost: 1 } })).rejects.toThrow(
      /The price of openai\/gpt-5 is unknown.*Add its prices .*"prices": \{ "openai\/gpt-5": \{ "input"/u,
    );
    const prices = { [name]: { input: 1, output: 2 } };
    await expect(open(name, { settings: { maxCost: 1, prices } })).resolves.toBeDefined();
  });
});

interface Given {
  readonly settings?: ModelSettings;
  readonly environment?: Record<string, string>;
  readonly baseUrl?: string;
}

function open(name: string, given: Given = {}): Promise<OpenModel> {
  return openModel(name, { settings: {}, environment, ...given });
}
