import Anthropic from "@anthropic-ai/sdk";
import { MockTool } from "@haft/contract/testing";
import { createRegistry } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { openAgent, pixel } from "../formats/test-support/open-agent.ts";
import { scriptModel } from "../formats/test-support/script-model.ts";
import { runAnthropicCalls, toAnthropicTools } from "./index.ts";

describe("a loop over the Messages API", () => {
  it("answers parallel calls in one message, with errors and images, and continues", async () => {
    const { session, content } = openAgent();
    const asked = [
      ["read", { path: "a.txt" }],
      ["edit", { path: "a.txt", old_string: "beta", new_string: "delta" }],
      ["grep", { pattern: "delta|gamma" }],
      ["read", { path: "dot.png" }],
      ["raed", {}],
      ["read", { pth: "a.txt" }],
    ].map(([name, input], index) => ({ type: "tool_use", id: `toolu_${index}`, name, input }));
    const thought = { type: "text", text: "Let me see." };
    const model = await scriptModel([
      { type: "message", role: "assistant", content: [thought, ...asked], stop_reason: "tool_use" },
      { type: "message", role: "assistant", content: [{ type: "text", text: "Done." }] },
    ]);
    const client = new Anthropic({ apiKey: "x", baseURL: model.url, maxRetries: 0 });

    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Go." }];
    let message: Anthropic.Message;
    for (;;) {
      const tools = toAnthropicTools(session, { strict: true });
      message = await client.messages.create({ model: "m", max_tokens: 100, messages, tools });
      messages.push({ role: "assistant", content: message.content });
      const answer = await runAnthropicCalls(session, message.content);
      if (answer.content.length === 0) break;
      messages.push(answer);
    }

    expect(message.content).toEqual([{ type: "text", text: "Done." }]);
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    const [, , answer] = model.request(1).messages as Anthropic.MessageParam[];
    const blocks = answer?.content as Anthropic.ToolResultBlockParam[];
    expect(blocks.map(({ tool_use_id }) => tool_use_id)).toEqual(asked.map(({ id }) => id));
    const texts = blocks.map((block) => (block.content as Anthropic.TextBlockParam[])[0]?.text);
    expect(texts[0]).toContain("1: alpha\n2: beta");
    expect(texts[1]).toContain("-beta\n+delta");
    expect(texts[2]).toContain("a.txt\n2: delta\n\nb.txt\n1: gamma");
    expect(blocks[3]?.content).toEqual([
      { type: "text", text: expect.stringContaining("A PNG image, 1 × 1 pixels") },
      { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
    ]);
    expect(texts[5]).toContain("path is missing");
    expect(blocks.map(({ is_error }) => is_error === true)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it.each([
    ["is of another type", { media_type: "image/tiff" }, "the model does not support image/tiff"],
    ["has too many bytes", { data: "A".repeat(5 * 1024 * 1024 + 4) }, "too large"],
    ["has too many pixels", { width: 9_000, height: 10 }, "too large"],
  ])("says that it can't show an image that %s", async (_, part, said) => {
    const data = { type: "image", media_type: "image/png", data: pixel, ...part };
    const maxOutput = { bytes: 10_000_000 };
    const tool = new MockTool({ name: "scan", maxOutput, output: () => data });
    const { session } = openAgent({ registry: createRegistry([tool]) });
    const call = { type: "tool_use", id: "1", name: "scan", input: {} };
    const { content } = await runAnthropicCalls(session, [call]);
    expect(content[0]?.content).toEqual([{ type: "text", text: expect.stringContaining(said) }]);
  });
});

describe("programs in Anthropic's container", () => {
  it("may call what only reads, get data as JSON, and go on with the same container", async () => {
    const { session } = openAgent();
    const type = "code_execution_20260120";
    const server = { type: "server_tool_use", id: "srvtoolu_1", name: "code_execution", input: {} };
    const use = (id: string, name: string, input: object) => {
      return { type: "tool_use", id, name, input, caller: { type, tool_id: "srvtoolu_1" } };
    };
    const asked = [
      use("toolu_1", "glob", { pattern: "*.txt" }),
      use("toolu_2", "read", { path: "none.txt" }),
    ];
    const done = {
      type: "code_execution_tool_result",
      tool_use_id: "srvtoolu_1",
      content: {
        type: "code_execution_result",
        stdout: "2",
        stderr: "",
        return_code: 0,
        content: [],
      },
    };
    const container = { id: "container_1", expires_at: "2026-11-18T00:00:00Z" };
    const base = { type: "message", role: "assistant", container };
    const model = await scriptModel([
      { ...base, content: [server, ...asked], stop_reason: "tool_use" },
      { ...base, content: [done, { type: "text", text: "Two." }], stop_reason: "end_turn" },
    ]);
    const client = new Anthropic({ apiKey: "x", baseURL: model.url, maxRetries: 0 });
    const tools = toAnthropicTools(session, { programmatic: true });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Count." }];
    let message: Anthropic.Message | undefined;
    for (;;) {
      const request = { model: "m", max_tokens: 100, messages, tools };
      message = await client.messages.create({
        ...request,
        container: message?.container?.id ?? null,
      });
      messages.push({ role: "assistant", content: message.content });
      const answer = await runAnthropicCalls(session, message.content);
      if (answer.content.length === 0) break;
      messages.push(answer);
    }

    const [first, ...sent] = model.request(0).tools as Record<string, unknown>[];
    expect(first).toEqual({ type, name: "code_execution" });
    const callers = new Map(sent.map(({ name, allowed_callers }) => [name, allowed_callers]));
    for (const name of ["read", "glob", "grep"])
      expect(callers.get(name)).toEqual(["direct", type]);
    for (const name of ["edit", "bash", "question", "web_fetch", "tool_search"]) {
      expect(callers.get(name)).toBeUndefined();
    }
    expect(sent.find(({ name }) => name === "glob")?.description).toContain('"files":');
    expect(model.request(0).container).toBeNull();
    expect(model.request(1).container).toBe("container_1");
    const [, said, answer] = model.request(1).messages as Anthropic.MessageParam[];
    expect(said?.content).toEqual([server, ...asked]);
    const blocks = answer?.content as Anthropic.ToolResultBlockParam[];
    expect(blocks.map((block) => [block.type, block.tool_use_id, block.is_error])).toEqual([
      ["tool_result", "toolu_1", undefined],
      ["tool_result", "toolu_2", true],
    ]);
    const [found] = (blocks[0]?.content ?? []) as Anthropic.TextBlockParam[];
    expect(JSON.parse(found?.text ?? "")).toMatchObject({
      files: [{}, {}].map(() => expect.any(String)),
    });
    expect(message.content).toEqual([done, { type: "text", text: "Two." }]);
  });

  it("may call what the developer allows, with another version of the tool", () => {
    const { session } = openAgent();
    const type = "code_execution_20260521";
    const programmatic = { type, allows: ({ tool }: { tool: string }) => tool === "bash" } as const;
    const [code, ...tools] = toAnthropicTools(session, { programmatic });
    expect(code).toEqual({ type, name: "code_execution" });
    const callable = tools.filter((tool) => "allowed_callers" in tool);
    expect(callable).toMatchObject([{ name: "bash", allowed_callers: ["direct", type] }]);
  });
});

describe("strict tools of one request", () => {
  it("are as many as it may have, the first first", () => {
    const many = Array.from(
      { length: 30 },
      (_, index) =>
        new MockTool({
          name: `tool_${String(index).padStart(2, "0")}`,
          parameters: {
            type: "object",
            properties: { one: { type: "string" }, two: { type: "integer", minimum: 1 } },
            required: ["one"],
          },
        }),
    );
    const { session } = openAgent({ registry: createRegistry(many) });
    const tools = toAnthropicTools(session, { strict: true });
    expect(tools.map(({ strict }) => strict === true)).toEqual(many.map((_, at) => at < 20));
    expect(tools[0]?.input_schema).toEqual({
      type: "object",
      properties: { one: { type: "string" }, two: { type: "integer" } },
      required: ["one"],
      additionalProperties: false,
    });
    expect(tools[29]?.input_schema).toEqual(many[29]?.parameters);
  });

  it("have no more optional parameters together than it may have", () => {
    const { session } = openAgent({ registry: createRegistry(builtinTools) });
    const held = toAnthropicTools(session, { strict: true }).filter(({ strict }) => strict);
    const optional = held.map(({ input_schema: { properties, required } }) => {
      return Object.keys(properties as object).length - (required as string[]).length;
    });
    expect(held.length).toBeGreaterThan(5);
    expect(optional.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(24);
  });
});
