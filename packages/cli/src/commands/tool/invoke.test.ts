import { describe, expect, it } from "vitest";
import { createTestWorkspace, type Situation } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import {
  reply,
  replyEvents,
  type WireHandler,
  wireInvocation,
  wireTool,
} from "../../test-support/wire/wire-platform.ts";

const { id } = wireTool("word_count");
const succeeded = { succeeded: true, output: "2", duration_ms: 3 };
const failed = {
  succeeded: false,
  exception_type: "RangeError",
  exception_message: "Too long.",
  exception_stack_trace: ["at runTool"],
  duration_ms: 4,
};

async function open(handle?: WireHandler) {
  const wire = await serveWire(handle);
  const { haft } = createTestWorkspace();
  const tool = (args: readonly string[], situation: Situation = {}) =>
    haft(["tool", ...args], {
      ...situation,
      environment: { ...wire.environment, ...situation.environment },
    });
  return { ...wire, tool };
}

function answering(results: readonly unknown[]): WireHandler {
  return ({ path, headers }, response) => {
    if (!path.endsWith("/invoke")) return false;
    response.setHeader("x-tool-version", "1.2.3");
    const body = { invocation_results: results };
    if (!String(headers.accept).includes("event-stream")) return reply(response, 200, body);
    return replyEvents(response, [
      ["status", { input_index: 0, event: "counting" }],
      ["status", { input_index: 1, event: { done: "\u001b[2J" } }],
      ["result", body],
    ]);
  };
}

describe("haft tool invoke", () => {
  it("prints the tool's output, with nothing but an address and a key", async () => {
    const { tool, requests } = await open(answering([succeeded]));
    const ran = await tool(["invoke", "word_count", '{"text": "one two"}']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "2\n", stderr: "" });
    expect(requests.at(-1)?.query.get("with_logs")).toBe("true");
    expect(requests.at(-1)).toMatchObject({
      method: "POST",
      path: `/tool/${id}/version/latest/invoke`,
      body: {
        inputs: [
          {
            input_parameters: { text: "one two" },
            invocation_mode: "regular",
            nonsensitive_user_variables: {},
            sensitive_user_variables: {},
          },
        ],
      },
    });
  });

  it.each([
    [["text=one two", "times:=3"], undefined, [{ text: "one two", times: 3 }]],
    [["-"], '{"text": "from input"}', [{ text: "from input" }]],
    [['[{"a": 1}, {"a": 2}]'], undefined, [{ a: 1 }, { a: 2 }]],
    [[], undefined, [{}]],
  ])("accepts %j as input", async (words, input, expected) => {
    const { tool, requests } = await open(answering([succeeded]));
    const situation = input === undefined ? {} : { input };
    expect((await tool(["invoke", "word_count", ...words], situation)).exitCode).toBe(0);
    const inputs = expected.map((input_parameters) => ({ input_parameters }));
    expect(requests.at(-1)?.body).toMatchObject({ inputs });
  });

  it("passes on version, mode, user variables and the key that runs it once", async () => {
    const { tool, requests } = await open(answering([succeeded]));
    const words = [
      ...["invoke", id, "{}", "--version", ">=1,<2", "--mode", "conversation-simulation"],
      ...["--user-variable", "plan=a=b", "--sensitive-user-variable", "token=@MINE"],
      ...["--idempotency-key", "once"],
    ];
    const { stdout, stderr } = await tool(words, { environment: { MINE: "hush" } });
    expect(`${stdout}${stderr}`).not.toContain("hush");
    expect(requests.at(-1)).toMatchObject({
      path: `/tool/${id}/version/%3E%3D1%2C%3C2/invoke`,
      headers: { "idempotency-key": "once" },
      body: {
        inputs: [
          {
            invocation_mode: "conversation-simulation",
            nonsensitive_user_variables: { plan: "a=b" },
            sensitive_user_variables: { token: "hush" },
          },
        ],
      },
    });
  });

  it("fails if one input failed, and prints the other's output or the whole answer", async () => {
    const { tool } = await open(answering([succeeded, failed]));
    const words = ["invoke", "word_count", "[{}, {}]"];
    expect(await tool(words)).toMatchObject({
      ...{ exitCode: 1, stdout: "2\n" },
      stderr: "== input 1\n== input 2\nhaft: RangeError: Too long.\n    at runTool\n",
    });
    const ran = await tool([...words, "--json"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.json()).toEqual({ invocation_results: [succeeded, failed] });
  });

  it("shows JSON indented in a terminal, unchanged elsewhere, and what the tool printed", async () => {
    const logs = {
      stdout: { text: "one\ntwo\n", omitted_characters: 0 },
      stderr: { text: "", omitted_characters: 0 },
    };
    const { tool } = await open(answering([{ ...succeeded, output: '{"a":[1]}', logs }]));
    const words = ["invoke", "word_count", "--version", "1.2.3"];
    expect(await tool(words)).toMatchObject({
      ...{ stdout: '{"a":[1]}\n', stderr: "    stdout | one\n    stdout | two\n" },
    });
    const { stdout } = await tool(words, { outputIsTerminal: true });
    expect(stdout).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  });

  it("tells what a tool says while it runs, apart from the answer", async () => {
    const { tool } = await open(answering([succeeded, succeeded]));
    const ran = await tool(["invoke", "word_count", "[{}, {}]", "--status", "--json"]);
    expect(ran.json()).toEqual({ invocation_results: [succeeded, succeeded] });
    expect(ran.stderr).toBe('[1] counting\n[2] {"done":"\\u001b[2J"}\n');
  });

  it("tells a person which version ran", async () => {
    const { tool } = await open(answering([succeeded]));
    const ran = await tool(["invoke", "word_count"], { outputIsTerminal: true });
    expect(ran.stderr).toBe("haft: version 1.2.3\n");
  });

  it.each([
    [["invoke"], "needs the argument NAME"],
    [["invoke", "word_count", "{"], "The input is not valid JSON"],
    [["invoke", "word_count", "3"], "An input is an object"],
    [["invoke", "word_count", "[]"], "there are 0"],
    [["invoke", "word_count", JSON.stringify(Array(11).fill({}))], "there are 11"],
    [["invoke", "word_count", "--mode", "dry"], "regular, conversation-simulation"],
    [["invoke", "word_count", "--sensitive-user-variable", "a=@NO_SUCH"], "NO_SUCH"],
    [["invoke", "word_count", "--user-variable", "hush"], "--user-variable takes NAME=VALUE."],
  ])("refuses %j", async (words, why) => {
    const { tool } = await open(answering([succeeded]));
    expect(await tool(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

describe("haft tool logs", () => {
  const status = { succeeded: false, exception_type: "E", exception_message: "a\u001b[1m\nb" };
  const page = {
    tool_invocations: [
      wireInvocation("second", { invocation_status: { ...status, exception_stack_trace: [] } }),
      wireInvocation("first"),
    ],
    has_more: false,
    continuation_token: null,
  };

  it("shows each invocation for a person, or what the platform answers", async () => {
    const { tool, requests } = await open(({ path }, response) =>
      path === "/tool/invocation" ? reply(response, 200, page) : false,
    );
    const { stdout } = await tool(["logs", "--failed", "--limit", "7"], { outputIsTerminal: true });
    expect(stdout).toBe(
      "2026-01-02 03:04:05  failed  word_count 1.0.0  12 ms  second\n" +
        "    E: a\\u{1b}[1m\n    b\n" +
        "2026-01-02 03:04:05  ok      word_count 1.0.0  12 ms  first\n" +
        "    output of first\n",
    );
    const asked = requests.find(({ path }) => path === "/tool/invocation")?.query;
    expect([...(asked ?? [])]).toEqual([
      ["succeeded", "false"],
      ["limit", "7"],
      ["with_logs", "true"],
    ]);
    expect((await tool(["logs", "word_count", "--json"])).json()).toEqual(page);
    expect(requests.at(-1)?.query.get("tool_id")).toBe(id);
  });

  const stderr = { text: "", omitted_characters: 0 };

  it("shows the last lines that an invocation printed, and all of them by its ID", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`);
    const stdout = { text: lines.join(""), omitted_characters: 0 };
    const invocation = wireInvocation("f".repeat(24), { logs: { stdout, stderr } });
    const ended = { invocation_id: invocation.id, is_running: false, stdout, stderr };
    const { tool } = await open(({ path }, response) => {
      if (path === "/tool/invocation") {
        return reply(response, 200, { ...page, tool_invocations: [invocation] });
      }
      if (path === `/tool/invocation/${invocation.id}/logs`) return reply(response, 200, ended);
      if (path !== `/tool/invocation/${invocation.id}`) return false;
      return reply(response, 200, wireInvocation(invocation.id));
    });
    const listed = (await tool(["logs", "word_count"])).stdout;
    expect(listed).toContain(`stdout | … 2 earlier lines: haft tool logs ${invocation.id}\n`);
    expect(listed).not.toContain("line 2\n");
    expect(listed).toMatch(/ stdout \| line 12\n$/u);
    const shown = (await tool(["logs", invocation.id])).stdout;
    expect(shown).toMatch(/^ {4}stdout \| line 1\n.* stdout \| line 12\n2026-.*output of f+\n$/su);
    expect((await tool(["logs", invocation.id, "--json"])).json()).toEqual({
      ...ended,
      invocation: wireInvocation(invocation.id),
    });
  });

  it("follows what running invocations print, each part once", async () => {
    let rounds = 0;
    const { tool } = await open(({ path }, response) => {
      if (path === "/tool/invocation") {
        return reply(response, 200, { ...page, tool_invocations: [] });
      }
      if (path !== "/tool/invocation/running") return false;
      rounds += 1;
      const stdout = { text: rounds === 1 ? "one\n" : "one\ntwo\n", omitted_characters: 0 };
      const running_invocations = [{ ...wireInvocation("a"), logs: { stdout, stderr } }];
      return reply(response, 200, { running_invocations });
    });
    const controller = new AbortController();
    let seen = "";
    await tool(["logs", "word_count", "-f"], {
      signal: controller.signal,
      onOutput: (text) => {
        seen += text;
        if (seen.includes("two")) controller.abort();
      },
    });
    expect(seen).toBe("    a stdout | one\n    a stdout | two\n");
  });

  it("searches everywhere", async () => {
    const { tool, requests } = await open(({ path }, response) =>
      path === "/tool/invocation/search" ? reply(response, 200, { tool_invocations: [] }) : false,
    );
    const { stderr } = await tool(["logs", "--search", "needle"]);
    expect(stderr).toBe("haft: no invocations found\n");
    expect(requests.at(-1)?.query.get("query")).toBe("needle");
    expect(requests.at(-1)?.query.getAll("query_against").length).toBe(5);
  });

  it("follows what comes, oldest first and each once, until it is stopped", async () => {
    let rounds = 0;
    const { tool } = await open(({ path }, response) => {
      if (path !== "/tool/invocation") return false;
      rounds += 1;
      const ids = rounds === 1 ? ["b", "a"] : ["c", "b", "a"];
      return reply(response, 200, {
        ...page,
        tool_invocations: ids.map((one) => wireInvocation(one)),
      });
    });
    const controller = new AbortController();
    let seen = "";
    const ended = tool(["logs", "word_count", "--follow", "--json"], {
      signal: controller.signal,
      onOutput: (text) => {
        seen += text;
        if (seen.includes('"c"')) controller.abort();
      },
    });
    expect((await ended).exitCode).toBe(0);
    const shown = seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(shown).toEqual(["a", "b", "c"]);
  });
});
