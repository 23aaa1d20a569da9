import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { codex, createRegistry } from "@haft/core";
import { generateText, isStepCount, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { openAgent, pixel } from "../formats/test-support/open-agent.ts";
import { toAiSdkTools, toPrepareStep, toToolApproval } from "./index.ts";
import { call, promptOf, scriptMock } from "./test-support/script-mock.ts";

const edit = call("e", "edit", { path: "a.txt", old_string: "beta", new_string: "delta" });
const parameters = { type: "object", additionalProperties: false } as const;
const stopWhen = isStepCount(5);

describe("a tool that is called with plain text", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "image", media_type: "image/png", data: pixel, detail: "low" },
  ];
  const data = { status: "completed", cell_id: "1", wall_time_seconds: 1, content };
  const open = () => {
    const tool = new MockTool({ name: "run_code", output: () => data });
    return { tool, ...openAgent({ registry: createRegistry([tool]), dialect: codex }) };
  };

  it("is a custom tool for a model of OpenAI, whose input and results are sent as they are", async () => {
    const { session, tool } = open();
    const input = JSON.stringify("text(1) // no JSON");
    const model = scriptMock([[call("1", "exec", input)], "Done."], "openai.responses");
    const tools = toAiSdkTools(session, { model });
    const toolApproval = toToolApproval(session);
    const { text } = await generateText({ model, tools, toolApproval, prompt: "Go.", stopWhen });
    expect(text).toBe("Done.");
    expect(tool.inputs).toEqual([{ code: "text(1) // no JSON" }]);
    expect(promptOf(model, 0).tools).toMatchObject([
      { type: "provider", id: "openai.custom", name: "exec", args: { format: { syntax: "lark" } } },
    ]);
    expect(promptOf(model, 1).outputs.get("1")).toEqual({
      type: "content",
      value: [
        { type: "text", text: "Script completed\nWall time 1.0 seconds\nOutput:\n" },
        { type: "text", text: "one" },
        {
          type: "file",
          mediaType: "image/png",
          data: { type: "data", data: pixel },
          providerOptions: { openai: { imageDetail: "low" } },
        },
      ],
    });
  });

  it("is a function with one text for every other model", async () => {
    const { session, tool } = open();
    const model = scriptMock([[call("1", "exec", { input: "text(1)" })], "Done."], "x.chat");
    const tools = toAiSdkTools(session, { model });
    await generateText({ model, tools, prompt: "Go.", stopWhen });
    expect(tool.inputs).toEqual([{ code: "text(1)" }]);
    expect(promptOf(model, 1).outputs.get("1")).toMatchObject({
      type: "text",
      value: expect.stringMatching(/^Script completed\nWall time 1\.0 seconds\nOutput:\n\none\n/u),
    });
  });
});

describe("generateText", () => {
  it("runs parallel calls and gives the model complete text, images and errors", async () => {
    const { session, content } = openAgent();
    const model = scriptMock([
      [
        call("1", "read", { path: "a.txt" }),
        edit,
        call("2", "grep", { pattern: "delta|gamma" }),
        call("3", "read", { path: "dot.png" }),
        call("4", "read", { path: "none.txt" }),
        call("5", "read", { pth: "a.txt" }),
        call("6", "raed", {}),
        call("7", "read", '{"path":'),
      ],
      "Done.",
    ]);
    const tools = toAiSdkTools(session, { model });
    const { text, steps } = await generateText({ model, tools, prompt: "Go.", stopWhen });

    expect(text).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    const outputs = promptOf(model, 1).outputs;
    expect(outputs.get("1")).toMatchObject({
      type: "text",
      value: expect.stringContaining("1: alpha\n2: beta"),
    });
    expect(outputs.get("e")).toMatchObject({ value: expect.stringContaining("-beta\n+delta") });
    expect(outputs.get("2")).toMatchObject({
      value: expect.stringContaining("a.txt\n2: delta\n\nb.txt\n1: gamma"),
    });
    expect(outputs.get("3")).toMatchObject({
      type: "content",
      value: [
        { type: "text", text: expect.stringContaining("A PNG image") },
        { type: "file", mediaType: "image/png", data: { type: "data", data: pixel } },
      ],
    });
    expect(outputs.get("4")).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("none.txt"),
    });
    expect(outputs.get("5")).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("path is missing"),
    });
    expect(outputs.get("6")).toMatchObject({ type: "error-text" });
    expect(outputs.get("7")).toMatchObject({ type: "error-text" });
    const [first] = steps[0]?.toolResults ?? [];
    expect(first).toMatchObject({
      toolCallId: "1",
      output: { type: "output", data: { total_lines: 2 }, metadata: { isolation: "capability" } },
      toolMetadata: { haft: { tool: "read", kind: "read", source: "builtin" } },
    });
  });

  it("leaves images out for @ai-sdk/openai-compatible, which would send them as base64 text", async () => {
    const show = async (provider: string, prepares: boolean): Promise<unknown> => {
      const { session } = openAgent();
      const model = scriptMock([[call("1", "read", { path: "dot.png" })], "Done."], provider);
      const tools = toAiSdkTools(session, prepares ? {} : { model });
      const prepare = prepares ? { prepareStep: toPrepareStep(session, tools) } : {};
      await generateText({ model, tools, ...prepare, prompt: "Go.", stopWhen });
      return promptOf(model, 1).outputs.get("1");
    };
    const value = expect.stringMatching(
      /A PNG image(?:.|\n)*\[Image 1 was not sent: the model does not support image\/png\.\]$/u,
    );
    expect(await show("ollama.chat", false)).toEqual({ type: "text", value });
    expect(await show("ollama.chat", true)).toEqual({ type: "text", value });
    expect(await show("openai.responses", true)).toMatchObject({ type: "content" });
  });

  it("leaves images out where the model is not named, and says how to get them", async () => {
    const { session } = openAgent();
    const steps = [[call("1", "read", { path: "dot.png" })], "Done."];
    const model = scriptMock(steps, "openai.responses");
    await generateText({ model, tools: toAiSdkTools(session), prompt: "Go.", stopWhen });
    expect(promptOf(model, 1).outputs.get("1")).toEqual({
      type: "text",
      value: expect.stringMatching(
        /A PNG image(?:.|\n)*\[Image 1 was not sent: .+ pass the model to toAiSdkTools\.\]$/u,
      ),
    });
    expect(JSON.stringify(promptOf(model, 1))).not.toContain(pixel);
  });

  it("makes the session's calls under the ids of the model's", async () => {
    const { session } = openAgent();
    const ids: string[] = [];
    session.on("tool:pre", ({ callId }) => {
      ids.push(callId);
    });
    const model = scriptMock([[call("call_abc", "read", { path: "a.txt" })], "Done."]);
    await generateText({ model, tools: toAiSdkTools(session), prompt: "Go.", stopWhen });
    expect(ids).toEqual(["call_abc"]);
  });

  it("takes what models get wrong, as the session does", async () => {
    const { session } = openAgent();
    const model = scriptMock([
      [call("1", "read", { path: "a.txt", offset: "2", limit: null })],
      ".",
    ]);
    await generateText({ model, tools: toAiSdkTools(session), prompt: "Go.", stopWhen });
    expect(promptOf(model, 1).outputs.get("1")).toMatchObject({
      value: expect.stringMatching(/^a\.txt: lines 2 to 2 of 2\n\n2: beta$/u),
    });
  });

  it.each([
    ["plain", { minLength: 1, type: "string" }, undefined],
    ["gemini", { type: "string" }, undefined],
    ["openai-strict", { type: ["string", "null"] }, true],
    ["anthropic-strict", { type: "string" }, true],
  ] as const)("shows the %s form as it is", async (form, glob, strict) => {
    const { session } = openAgent();
    const model = scriptMock(["Done."]);
    await generateText({ model, tools: toAiSdkTools(session, { form }), prompt: "Go." });
    const grep = promptOf(model, 0).tools.find(({ name }) => name === "grep");
    expect(grep).toMatchObject({ type: "function", inputSchema: { properties: { glob } } });
    expect(Object.keys((grep as Shown).inputSchema.properties.glob ?? {}).sort()).toEqual(
      ["description", ...Object.keys(glob)].sort(),
    );
    expect((grep as Shown).strict).toBe(strict);
  });

  it("shows the model what somebody else made of a result", () => {
    const { read } = toAiSdkTools(openAgent().session);
    expect(read?.toModelOutput({ output: "short" })).toEqual({ type: "text", value: "short" });
    expect(read?.toModelOutput({ output: undefined })).toEqual({ type: "text", value: "null" });
  });

  it("holds no more tools to Anthropic's strict form than one request may have", () => {
    const many = Array.from(
      { length: 25 },
      (_, at) => new MockTool({ name: `t${at}`, parameters }),
    );
    const { session } = openAgent({ registry: createRegistry(many) });
    const tools = Object.values(toAiSdkTools(session, { form: "anthropic-strict" }));
    expect(tools.filter(({ strict }) => strict)).toHaveLength(20);
  });

  it("leaves open objects open", async () => {
    const parameters = { type: "object", properties: { map: { type: "object" } } } as const;
    const registry = createRegistry([new MockTool({ name: "open", parameters })]);
    const model = scriptMock(["Done."]);
    const { session } = openAgent({ registry });
    await generateText({ model, tools: toAiSdkTools(session), prompt: "Go." });
    expect(promptOf(model, 0).tools[0]).toMatchObject({ inputSchema: parameters });
    expect(JSON.stringify(promptOf(model, 0).tools)).not.toContain("additionalProperties");
  });

  it("stops a call when the run is aborted", async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const tool: Tool = {
      ...new MockTool({ name: "wait" }),
      execute: (_, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped.resolve();
            reject(signal.reason);
          });
        });
      },
    };
    const { session } = openAgent({ registry: createRegistry([tool]) });
    const controller = new AbortController();
    const run = generateText({
      model: scriptMock([[call("1", "wait", {})], "Done."]),
      tools: toAiSdkTools(session),
      prompt: "Go.",
      stopWhen,
      abortSignal: controller.signal,
    });
    await started.promise;
    controller.abort();
    await expect(run).rejects.toThrow();
    await stopped.promise;
  });
});

interface Shown {
  readonly strict?: boolean;
  readonly inputSchema: { readonly properties: Readonly<Record<string, object>> };
}

describe("streamText", () => {
  it("runs calls and continues", async () => {
    const { session, content } = openAgent();
    const model = scriptMock([[edit, call("1", "read", { path: "dot.png" })], "Done."]);
    const tools = toAiSdkTools(session, { model });
    const result = streamText({ model, tools, prompt: "Go.", stopWhen });
    expect(await result.text).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    expect(promptOf(model, 1).outputs.get("1")).toMatchObject({ type: "content" });
  });
});
