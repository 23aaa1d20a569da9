import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  nodeTool,
  openTestRunner,
  outputOf,
  pythonTool,
  type TestRunner,
  toProgram,
} from "./test-support/open-runner.ts";

describe("a tool in JavaScript", () => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner();
  });
  afterAll(() => runner.close(0));

  it("gets its six parameters", async () => {
    const tool = nodeTool(`
      const { toolInput, metadata, config, conversation, sendStatusEvent, userVariables } = tool;
      return { toolInput, metadata, config, conversation, kind: typeof sendStatusEvent,
        isFrozen: Object.isFrozen(config), name: userVariables.get("customer_id"),
        none: userVariables.get("toString") ?? "none", has: userVariables.has("token"),
        keys: userVariables.keys() };`);
    const result = await runner.call(tool, {
      invocationId: "5".repeat(24),
      input: { word: "ü\u{1f600}\u2028" },
      config: { URL: "https://example.com" },
      conversation: { id: "c" },
      userVariables: { customer_id: "42" },
      sensitiveUserVariables: { token: "s3cret" },
    });
    expect(JSON.parse(outputOf(result))).toEqual({
      toolInput: { word: "ü\u{1f600}\u2028" },
      metadata: {
        invocationMode: "regular",
        toolVersion: "1.0.0",
        invocationId: "5".repeat(24),
      },
      config: { URL: "https://example.com" },
      conversation: { id: "c" },
      kind: "function",
      isFrozen: true,
      name: "42",
      none: "none",
      has: true,
      keys: ["customer_id", "token"],
    });
  });

  it("sees variables as they are at each invocation", async () => {
    const tool = nodeTool("return tool.config.NAME ?? 'none';");
    const first = await runner.call(tool, { config: { NAME: "one" } });
    const second = await runner.call(tool, { config: { NAME: "two" } });
    const third = await runner.call(tool, { config: {} });
    expect([first, second, third].map(outputOf)).toEqual(["one", "two", "none"]);
  });

  it("is a real module, with what Node has", async () => {
    const tool = nodeTool(`
      import { createHash } from "node:crypto";
      const { readFile } = await import("node:fs/promises");
      export async function runTool() {
        const hash = createHash("sha256").update("x").digest("hex").slice(0, 4);
        return [hash, typeof readFile, import.meta.url, typeof require, this === undefined].join();
      }`);
    expect(outputOf(await runner.call(tool))).toBe(
      "2d71,function,file:///tool/tool.js,undefined,false",
    );
  });

  it.each([
    ["a text", "return 'plain \"text\"';", 'plain "text"'],
    ["an object", "return { a: [1, null] };", '{"a":[1,null]}'],
    ["null", "return null;", "null"],
    ["a number", "return 0;", "0"],
    [
      "20,000 characters of two units each",
      "return '\u{1f600}'.repeat(20000);",
      "\u{1f600}".repeat(20_000),
    ],
  ])("answers with %s", async (_, code, output) => {
    expect(outputOf(await runner.call(nodeTool(code)))).toBe(output);
  });

  it("sends status events as strings or objects, up to a limit", async () => {
    const tool = nodeTool(`
      tool.sendStatusEvent("started");
      await tool.sendStatusEvent({ done: 0.5 });
      tool.sendStatusEvent("x".repeat(20000));
      try { tool.sendStatusEvent(1); } catch (error) { tool.sendStatusEvent(error.message); }
      for (let n = 0; n < 1000; n++) tool.sendStatusEvent(String(n));
      return "ok";`);
    const events: unknown[] = [];
    outputOf(await runner.call(tool, { onStatus: (event) => events.push(event) }));
    expect(events.slice(0, 4)).toEqual([
      "started",
      { done: 0.5 },
      "A status event must be a string or an object.",
      "0",
    ]);
    expect(events.length).toBeLessThanOrEqual(100);
  });

  it("shows nothing sensitive, however it prints its user's variables", async () => {
    const tool = nodeTool(`
      const { userVariables: it } = tool;
      console.log(it); console.error("%o %s %j", it, it, it); console.log({ it }, [it]);
      console.log(JSON.stringify(it), String(it), \`\${it}\`, Object.values(it).join());
      console.log("by hand: " + it.get("token"));
      process.stdout.write("half a line");
      const { inspect } = await import("node:util");
      return inspect(it, { showHidden: true, depth: 9 }) + JSON.stringify({ it });`);
    const result = await runner.call(tool, {
      userVariables: { city: "Bonn" },
      sensitiveUserVariables: { token: "s3cret" },
    });
    const { stdout, stderr } = result.printed ?? {};
    expect(outputOf(result)).not.toContain("s3cret");
    expect(outputOf(result)).toContain("Bonn");
    expect(JSON.stringify(result.printed)).not.toContain("s3cret");
    expect(stdout?.text).toMatch(/^by hand: •••\nhalf a line$/mu);
    expect(stderr?.text).toContain("Bonn");
  });

  it("says where in its own files it failed, and nothing of the server's", async () => {
    const sourceMap = JSON.stringify({
      version: 3,
      sources: ["../src/prices.ts"],
      names: [],
      // Line 2, column 1 of the code is line 7, column 3 of the source.
      mappings: ";AAME",
    });
    const code = "export function runTool() {\nthrow new RangeError('too cheap');\n}";
    const result = await runner.call(toProgram({ runtime: "node", code, sourceMap }));
    expect(result).toMatchObject({
      succeeded: false,
      exceptionType: "RangeError",
      exceptionMessage: "too cheap",
    });
    const stack = result.succeeded ? [] : result.exceptionStackTrace;
    expect(stack[0]).toBe("RangeError: too cheap");
    expect(stack[1]).toMatch(/^ {4}at .*src\/prices\.ts:7:3\)?$/u);
    expect(stack.join("\n")).not.toMatch(/node-worker|node:internal/u);
  });

  it.each([
    ["a text", "throw 'just words';", ["string", "just words"]],
    ["nothing", "throw undefined;", ["undefined", "undefined"]],
    [
      "an error of its own",
      "class Odd extends Error { name = 'Odd' }; throw new Odd('x');",
      ["Odd", "x"],
    ],
    [
      "what throws itself",
      "throw { get name() { throw 1 }, toString() { throw 2 } };",
      ["object", "The thrown value has no message."],
    ],
  ])("fails by throwing %s", async (_, code, [type, message]) => {
    expect(await runner.call(nodeTool(code))).toMatchObject({
      succeeded: false,
      exceptionType: type,
      exceptionMessage: message,
    });
  });

  it.each([
    ["no runTool", "export const x = 1;", ["TypeError", "does not export a function runTool"]],
    ["an error as it loads", "export const runTool = missing();", ["ReferenceError", "missing"]],
    ["broken code", "export const = 1;", ["SyntaxError", ""]],
  ])("with %s fails with that each time", async (_, code, [type, message]) => {
    const tool = nodeTool(code);
    for (const result of [await runner.call(tool), await runner.call(tool)]) {
      expect(result).toMatchObject({
        succeeded: false,
        exceptionType: type,
        exceptionMessage: expect.stringContaining(message ?? ""),
      });
    }
  });
});

describe("a tool in Python", () => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner({ blankWorkers: 0 });
  });
  afterAll(() => runner.close(0));

  it("gets its six parameters", async () => {
    const tool = pythonTool(`
from amigo_tool_scaffold.user_variables import UserVariables

async def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables: UserVariables):
    await send_status_event({"done": 0.5})
    send_status_event("text")
    print(user_variables, repr(user_variables), f"{user_variables}", user_variables.get("token"))
    return {
        "input": tool_input["word"],
        "metadata": [metadata.invocation_mode, metadata["tool_version"], metadata.invocation_id],
        "config": [config.URL, config["URL"], config.get("NONE")],
        "conversation": conversation,
        "user": [user_variables.get("city"), user_variables.get("token"), "x" in user_variables],
        "kind": isinstance(user_variables, UserVariables),
    }
`);
    const events: unknown[] = [];
    const result = await runner.call(tool, {
      mode: "conversation-simulation",
      invocationId: "5".repeat(24),
      input: { word: "ü\u{1f600}" },
      config: { URL: "https://example.com" },
      userVariables: { city: "Bonn" },
      sensitiveUserVariables: { token: "s3cret" },
      onStatus: (event) => events.push(event),
    });
    expect(JSON.parse(outputOf(result))).toEqual({
      input: "ü\u{1f600}",
      metadata: ["conversation-simulation", "1.0.0", "5".repeat(24)],
      config: ["https://example.com", "https://example.com", null],
      conversation: null,
      user: ["Bonn", "s3cret", false],
      kind: true,
    });
    expect(events).toEqual([{ done: 0.5 }, "text"]);
    expect(result.printed?.stdout.text).toMatch(/^[^\n]*Bonn[^\n]*\n$/u);
    expect(result.printed?.stdout.text).not.toContain("s3cret");
  });

  it("answers, or fails with the places of its own files", async () => {
    const tool = pythonTool(`
import sys
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    kind = tool_input["kind"]
    if kind == "raise":
        raise ValueError("too cheap")
    if kind == "exit":
        sys.exit(3)
    return {"text": "plain", "none": None, "set": {1}, "long": "x" * 20001}[kind]
`);
    const ask = (kind: string) => runner.call(tool, { input: { kind } });
    expect(await ask("text")).toMatchObject({ output: "plain" });
    expect(await ask("none")).toMatchObject({ output: "null" });
    expect(await ask("set")).toMatchObject({ exceptionType: "InvalidOutput" });
    expect(await ask("long")).toMatchObject({ exceptionType: "OutputTooLarge" });
    expect(await ask("exit")).toMatchObject({ exceptionType: "SystemExit" });
    expect(await ask("raise")).toMatchObject({
      exceptionType: "ValueError",
      exceptionMessage: "too cheap",
      exceptionStackTrace: [
        "ValueError: too cheap",
        '  File "src/tool.py", line 6, in run_tool',
        '    raise ValueError("too cheap")',
      ],
    });
  });

  it("is told if it has no entry, or does not load", async () => {
    expect(await runner.call(pythonTool("def run_tool_(): pass"))).toMatchObject({
      exceptionType: "TypeError",
      exceptionMessage: "src.tool has no function run_tool. Define one.",
    });
    expect(await runner.call(pythonTool("def run_tool(:"))).toMatchObject({
      exceptionType: "SyntaxError",
    });
  });
});

describe("the hosts of a tool", () => {
  const script = `
    import { get } from "node:http";
    const ask = {
      fetch: (url) => fetch(url).then((answer) => answer.text()),
      http: (url) => new Promise((resolve, reject) => {
        get(url, (answer) => answer.setEncoding("utf8").once("data", resolve)).once("error", reject);
      }),
    };
    export async function runTool({ toolInput: { url, by } }) {
      return ask[by](url).then((text) => text, () => "none");
    }`;
  const python = `
from urllib.request import urlopen
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    try:
        return urlopen(tool_input["url"], timeout=5).read().decode()
    except Exception as error:
        return "none"
`;

  it("are all that it reaches: by mode, in both languages, private ones if that is allowed", async () => {
    const server = createServer((_, response) => response.end("served")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const input = { url: `http://${host}/`, by: "fetch" };
    const runner = openTestRunner({ blankWorkers: 0 });
    const wary = openTestRunner({ blankWorkers: 0 }, { privateHosts: "never" });
    onTestFinished(async () => {
      await Promise.all([runner.close(0), wary.close(0)]);
    });
    const declared = nodeTool(script, { allowedHosts: [host] });
    const simulated = nodeTool(script, { simulationHosts: [host] });
    const simulation = { input, mode: "conversation-simulation" } as const;
    const answers = await Promise.all([
      runner.call(declared, { input }),
      runner.call(declared, { input: { ...input, by: "http" } }),
      runner.call(pythonTool(python, { allowedHosts: [host] }), { input }),
      runner.call(simulated, simulation),
      runner.call(declared, simulation),
      runner.call(simulated, { input }),
      runner.call(nodeTool(script), { input }),
      runner.call(pythonTool(python), { input }),
      wary.call(declared, { input }),
    ]);
    const reached = ["served", "served", "served", "served"];
    expect(answers.map(outputOf)).toEqual([...reached, ...Array.from({ length: 5 }, () => "none")]);
  });
});
