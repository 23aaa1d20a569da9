import { MockTool } from "@haft/contract/testing";
import { codex, createRegistry, type Dialect } from "@haft/core";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openAgent, pixel } from "../formats/test-support/open-agent.ts";
import { type ScriptedModel, scriptModel } from "../formats/test-support/script-model.ts";
import { runChatCalls, runResponsesCalls, toChatTools, toResponsesTools } from "./index.ts";

async function connect(answers: readonly unknown[]): Promise<[ScriptedModel, OpenAI]> {
  const model = await scriptModel(answers);
  return [model, new OpenAI({ apiKey: "x", baseURL: model.url, maxRetries: 0 })];
}

const calls: readonly [name: string, args: string][] = [
  ["read", '{"path":"a.txt","offset":null,"limit":null,"byte_offset":null,"byte_limit":null}'],
  ["edit", '{"path":"a.txt","old_string":"beta","new_string":"delta","replace_all":null}'],
  ["grep", '{"pattern":"delta|gamma"}'],
  ["read", '{"path":"dot.png"}'],
  ["raed", "{}"],
  ["read", '{"path":'],
  ["read", '{"path":"none.txt"}'],
];

describe("a loop over the Responses API", () => {
  it("answers parallel calls in order, with errors and images, and continues", async () => {
    const { session, content } = openAgent();
    const asked = calls.map(([name, args], index) => ({
      type: "function_call",
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name,
      arguments: args,
    }));
    const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
    const said = {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "Done.", annotations: [] }],
    };
    const [model, client] = await connect([
      { id: "r1", object: "response", output: [reasoning, ...asked] },
      { id: "r2", object: "response", output: [said] },
    ]);

    const tools = toResponsesTools(session, { strict: true });
    let response = await client.responses.create({ model: "m", input: "Go.", tools });
    for (;;) {
      const input = await runResponsesCalls(session, response.output);
      if (input.length === 0) break;
      const previous_response_id = response.id;
      response = await client.responses.create({ model: "m", input, tools, previous_response_id });
    }

    expect(response.output_text).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    const answered = model.request(1).input as Record<string, unknown>[];
    expect(answered.map(({ call_id }) => call_id)).toEqual(asked.map(({ call_id }) => call_id));
    const texts = answered.map(({ output }) => output as string);
    expect(texts[0]).toContain("1: alpha\n2: beta");
    expect(texts[1]).toContain("-beta\n+delta");
    expect(texts[2]).toContain("a.txt\n2: delta\n\nb.txt\n1: gamma");
    expect(answered[3]?.output).toEqual([
      { type: "input_text", text: expect.stringContaining("A PNG image, 1 × 1 pixels") },
      { type: "input_image", image_url: `data:image/png;base64,${pixel}`, detail: "auto" },
    ]);
    expect(texts[4]).toBe('Error: There is no tool named "raed". Did you mean read?');
    expect(texts[5]).toMatch(/^Error: The arguments of read are not valid JSON/u);
    expect(texts[6]).toMatch(/^Error: .*none\.txt/u);
  });

  it("shows tools strictly where their schema allows it, and all others as they are", async () => {
    const { session } = openAgent();
    const plain = new Map(toResponsesTools(session).map((tool) => [tool.name, tool]));
    const tools = new Map(
      toResponsesTools(session, { strict: true }).map((tool) => [tool.name, tool]),
    );
    expect(tools.get("grep")).toMatchObject({
      strict: true,
      parameters: {
        properties: {
          pattern: { type: "string" },
          context: { type: ["integer", "null"], minimum: 0, maximum: 20 },
        },
        required: ["pattern", "path", "glob", "case_sensitive", "literal", "context", "offset"],
        additionalProperties: false,
      },
    });
    expect(plain.get("grep")).toMatchObject({
      strict: false,
      parameters: { required: ["pattern"] },
    });
    expect([...tools.keys()]).toEqual([...plain.keys()]);
  });

  it("treats nulls of the strict form as absent, also inside lists", async () => {
    const { session } = openAgent();
    const todo = { content: "Think.", status: "pending", priority: null, id: null };
    const args = JSON.stringify({ todos: [todo] });
    const call = { type: "function_call", call_id: "1", name: "todo", arguments: args };
    const [output] = await runResponsesCalls(session, [call]);
    expect(output?.output).toContain("content: Think.");
    expect(output?.output).not.toContain("null");
  });

  it("cuts a description for which the request would be refused", () => {
    const description = `${"x".repeat(1_022)}😀 and more`;
    const registry = createRegistry([new MockTool({ name: "long", description })]);
    const [tool] = toResponsesTools(openAgent({ registry }).session);
    expect(tool?.description).toBe(`${"x".repeat(1_022)}…`);
  });

  it("maps a dialect's names and back", async () => {
    const aliases = [{ name: "fs.read", tool: "read" }];
    const dialect: Dialect = { name: "dotted", aliases, native: "hidden" };
    const { session } = openAgent({ dialect });
    const [tool] = toResponsesTools(session);
    expect(tool?.name).toMatch(/^fs_read_[0-9a-f]{8}$/u);
    const call = { type: "function_call", call_id: "1", arguments: '{"path":"a.txt"}' };
    const named = { ...call, name: tool?.name };
    const [output] = await runResponsesCalls(session, [named]);
    expect(output?.output).toContain("1: alpha");
  });

  it("runs approved calls, and refuses the rest in a session that is not interactive", async () => {
    const { session, content } = openAgent({ rules: [] });
    const args = { path: "a.txt", old_string: "beta", new_string: "delta" };
    const call = { type: "function_call", name: "edit", arguments: JSON.stringify(args) };
    const calls = [
      { ...call, call_id: "1" },
      { ...call, call_id: "2" },
    ];
    const [one, two] = await runResponsesCalls(session, calls, { approved: ["2"] });
    expect(one?.output).toMatch(/^Error: /u);
    expect(two?.output).toContain("+delta");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
  });

  it("stops with the signal", async () => {
    const { session } = openAgent();
    const call = {
      type: "function_call",
      call_id: "1",
      name: "read",
      arguments: '{"path":"a.txt"}',
    };
    const outputs = await runResponsesCalls(session, [call], { signal: AbortSignal.abort() });
    expect(outputs).toEqual([
      { type: "function_call_output", call_id: "1", output: "Error: The call was aborted." },
    ]);
  });

  it("answers nothing where nothing was called", async () => {
    expect(await runResponsesCalls(openAgent().session, [{ type: "message" }])).toEqual([]);
  });
});

describe("a tool that is called with plain text", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "image", media_type: "image/png", data: pixel, detail: "low" },
  ];
  const data = { status: "completed", cell_id: "1", wall_time_seconds: 0.25, content };
  const open = () => {
    const tool = new MockTool({ name: "run_code", output: () => data });
    return { tool, ...openAgent({ registry: createRegistry([tool]), dialect: codex }) };
  };

  it("is a custom tool of the Responses API, answered with one item for each output", async () => {
    const { session, tool } = open();
    const code = 'text("one"); // not JSON';
    const asked = {
      type: "custom_tool_call",
      id: "ctc_1",
      call_id: "c1",
      name: "exec",
      input: code,
    };
    const [model, client] = await connect([
      { id: "r1", object: "response", output: [asked] },
      { id: "r2", object: "response", output: [] },
    ]);
    const tools = toResponsesTools(session);
    const response = await client.responses.create({ model: "m", input: "Go.", tools });
    const input = await runResponsesCalls(session, response.output);
    await client.responses.create({ model: "m", input, tools });

    expect(tool.inputs).toEqual([{ code }]);
    expect(model.request(0).tools).toEqual([
      {
        type: "custom",
        name: "exec",
        description: expect.stringContaining("JavaScript"),
        format: { type: "grammar", syntax: "lark", definition: expect.stringContaining("@exec:") },
      },
    ]);
    expect(model.request(1).input).toEqual([
      {
        type: "custom_tool_call_output",
        call_id: "c1",
        output: [
          { type: "input_text", text: "Script completed\nWall time 0.3 seconds\nOutput:\n" },
          { type: "input_text", text: "one" },
          { type: "input_image", image_url: `data:image/png;base64,${pixel}`, detail: "low" },
        ],
      },
    ]);
  });

  it("is a function with one text elsewhere", async () => {
    const { session, tool } = open();
    const [{ function: exec } = {}] = toChatTools(session);
    expect(exec).toMatchObject({ name: "exec", parameters: { required: ["input"] } });
    const asked = { name: "exec", arguments: '{"input":"text(1)"}' };
    const [answer] = await runChatCalls(session, [
      { id: "1", type: "function", function: asked } as never,
    ]);
    expect(tool.inputs).toEqual([{ code: "text(1)" }]);
    expect(answer?.content).toMatch(
      /^Script completed\nWall time 0\.3 seconds\nOutput:\n\none\n\[image 1/u,
    );
  });
});

describe("programs that OpenAI runs", () => {
  it("may call what only reads, get data as JSON, and their calls keep their caller", async () => {
    const { session } = openAgent();
    const caller = { type: "program", caller_id: "prog_1" };
    const asked = {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "glob",
      arguments: '{"pattern":"*.txt"}',
      caller,
    };
    const program = { type: "program", id: "p1", call_id: "prog_1", code: "…", fingerprint: "f" };
    const [model, client] = await connect([
      { id: "r1", object: "response", output: [program, asked] },
      { id: "r2", object: "response", output: [] },
    ]);
    const tools = toResponsesTools(session, { programmatic: true });
    const response = await client.responses.create({ model: "m", input: "Go.", tools });
    const input = await runResponsesCalls(session, response.output);
    await client.responses.create({ model: "m", input, tools });

    const [first, ...sent] = model.request(0).tools as Record<string, unknown>[];
    expect(first).toEqual({ type: "programmatic_tool_calling" });
    const callers = new Map(sent.map(({ name, allowed_callers }) => [name, allowed_callers]));
    expect(callers.get("glob")).toEqual(["direct", "programmatic"]);
    expect(callers.get("edit")).toEqual(["direct"]);
    expect(callers.get("bash")).toEqual(["direct"]);
    expect(callers.get("tool_search")).toEqual(["direct"]);
    expect(sent.find(({ name }) => name === "glob")?.output_schema).toMatchObject({
      properties: { files: { type: "array" } },
    });
    const [answer] = model.request(1).input as { output: string }[];
    expect(answer).toMatchObject({ type: "function_call_output", call_id: "c1", caller });
    expect(JSON.parse(answer?.output ?? "")).toMatchObject({
      files: [expect.stringContaining("a.txt"), expect.stringContaining("b.txt")],
    });
  });
});

describe("a loop over Chat Completions", () => {
  it("answers parallel calls in order, images after them, and continues", async () => {
    const { session, content } = openAgent();
    const asked = calls.map(([name, args], index) => ({
      type: "function",
      id: `call_${index}`,
      function: { name, arguments: args },
    }));
    const [model, client] = await connect([
      { choices: [{ message: { role: "assistant", content: null, tool_calls: asked } }] },
      { choices: [{ message: { role: "assistant", content: "Done." } }] },
    ]);

    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Go." }];
    let message: OpenAI.ChatCompletionMessage;
    for (;;) {
      const tools = toChatTools(session, { strict: true });
      const completion = await client.chat.completions.create({ model: "m", messages, tools });
      message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage;
      messages.push(message);
      const answers = await runChatCalls(session, message.tool_calls);
      if (answers.length === 0) break;
      messages.push(...answers);
    }

    expect(message.content).toBe("Done.");
    expect(content("a.txt")).toBe("alpha\ndelta\n");
    const sent = (model.request(1).messages as Record<string, unknown>[]).slice(2);
    expect(sent.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual([
      ...asked.map(({ id }) => ["tool", id]),
      ["user", undefined],
    ]);
    expect(sent[3]?.content).toContain("[image 1: image/png, 70 bytes]");
    expect(sent.at(-1)?.content).toEqual([
      { type: "text", text: "Image 1 of call_3:" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}`, detail: "auto" } },
    ]);
    expect(sent[5]?.content).toMatch(/^Error: The arguments of read are not valid JSON/u);
  });
});
