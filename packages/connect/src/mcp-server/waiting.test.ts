import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerQuestion } from "@haft/computer/internal";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient } from "@modelcontextprotocol/ext-tasks/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMcpHttp } from "./http/start-mcp-http.ts";
import {
  clientTransport,
  connectClient,
  openClient,
  token,
  ways,
} from "./test-support/connect-client.ts";
import { openServing, type TestServing } from "./test-support/open-serving.ts";

const statusTool = "get_tool_call_status";
const write = { name: "write", arguments: { path: "new.txt", content: "one\n" } };
const impatient = { _meta: { "haft/maxWaitMs": 0 } };

function open() {
  const serving = openServing({ waits: true });
  const written = (): string | undefined => {
    const path = join(serving.workspace, "new.txt");
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  return { ...serving, written };
}

/** Answers the question that waits in the inbox, as soon as it is there. */
async function answerNext({ inbox }: TestServing, answer: unknown, reason?: string) {
  for (;;) {
    const found = inbox.list().find(({ state }) => state === "waiting");
    if (found !== undefined) {
      const given = { answer, reason, by: "ada", via: "a test" };
      return answerQuestion(inbox, found.question.id, given);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function textOf({ content }: { readonly content?: unknown }): string {
  return (content as { readonly text: string }[]).map(({ text }) => text).join("\n");
}

function idOf(result: { readonly content?: unknown }): string {
  return /with get_tool_call_status and id ([0-9a-f]{32})\./u.exec(textOf(result))?.[1] ?? "";
}

describe.each(ways)("a call that waits, over %s in the %s era", (carrier, era) => {
  it("is held until a person answers in the inbox", async () => {
    const serving = open();
    const client = await connectClient(serving, [carrier, era]);
    const [result] = await Promise.all([client.callTool(write), answerNext(serving, "once")]);
    expect(result.isError).not.toBe(true);
    expect(serving.written()).toBe("one\n");
    const [entry] = serving.inbox.list();
    expect(entry?.end?.result.metadata.approval).toMatchObject({ by: "ada", via: "a test" });
  });

  it("returns an ID when the client's patience ends, and its result later", async () => {
    const serving = open();
    const client = await connectClient(serving, [carrier, era]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain(statusTool);
    const id = idOf(await client.callTool({ ...write, ...impatient }));
    const ask = (more: object = {}) =>
      client.callTool({ name: statusTool, arguments: { id }, ...more });
    expect(idOf(await ask(impatient))).toBe(id);
    expect(serving.written()).toBeUndefined();
    const [result] = await Promise.all([ask(), answerNext(serving, "once")]);
    expect(textOf(result)).toContain("new.txt");
    expect(serving.written()).toBe("one\n");
    expect(textOf(await ask())).toBe(textOf(result));
    expect(await client.callTool({ name: statusTool, arguments: { id: "x" } })).toMatchObject({
      isError: true,
    });
  });

  it("is answered by the form or in the inbox, whichever is first", async () => {
    const serving = open();
    const answers: ElicitResult[] = [
      { action: "accept", content: { decision: "once" } },
      { action: "cancel" },
    ];
    const elicit = () => answers.shift() as ElicitResult;
    const client = await connectClient(serving, [carrier, era], { elicit });
    expect((await client.callTool(write)).isError).not.toBe(true);
    expect(serving.inbox.list()[0]?.decision).toMatchObject({ via: "elicitation" });
    const again = { name: "write", arguments: { path: "new.txt", content: "two\n" } };
    const [refused] = await Promise.all([
      client.callTool(again),
      answerNext(serving, "no", "not on a Friday"),
    ]);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("not on a Friday");
    expect(serving.written()).toBe("one\n");
  });
});

const color = { question: "Which color?", options: [{ label: "red" }, { label: "blue" }] };
const ask = { name: "question", arguments: { questions: [color] } };

describe.each(ways)("a question that waits, over %s in the %s era", (carrier, era) => {
  it("is held until a person answers in the inbox, with an option or other text", async () => {
    const serving = open();
    const client = await connectClient(serving, [carrier, era]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("question");
    const [chosen] = await Promise.all([client.callTool(ask), answerNext(serving, "blue")]);
    expect(textOf(chosen)).toContain("blue");
    const id = idOf(await client.callTool({ ...ask, ...impatient }));
    await answerNext(serving, { answer_1: "neither" });
    const later = await client.callTool({ name: statusTool, arguments: { id } });
    expect(textOf(later)).toContain("neither");
    expect(serving.inbox.find(id)?.end?.result.type).toBe("output");
  });

  it("is answered by the form, and waits on if the form is cancelled", async () => {
    const serving = open();
    const answers: ElicitResult[] = [
      { action: "accept", content: { answer_1: "red" } },
      { action: "cancel" },
      { action: "decline" },
    ];
    const client = await connectClient(serving, [carrier, era], {
      elicit: () => answers.shift() as ElicitResult,
    });
    expect(textOf(await client.callTool(ask))).toContain("red");
    expect(serving.inbox.list()[0]?.decision).toMatchObject({ via: "elicitation" });
    const [waited] = await Promise.all([client.callTool(ask), answerNext(serving, "blue")]);
    expect(textOf(waited)).toContain("blue");
    expect(await client.callTool(ask)).toMatchObject({ isError: true });
  });
});

describe("an answer to a call that waited", () => {
  it.each([
    ["a file", "new.txt has changed", (root: string) => writeFileSync(join(root, "new.txt"), "x")],
    [
      "a rule",
      "refused by the project rule",
      (root: string) => {
        mkdirSync(join(root, ".haft"));
        writeFileSync(join(root, ".haft/rules"), "write new.txt deny\n");
      },
    ],
  ])("does not run it if %s changed meanwhile", async (_, sentence, change) => {
    const serving = open();
    const client = await connectClient(serving, ["stdio", "legacy"]);
    const id = idOf(await client.callTool({ ...write, ...impatient }));
    change(serving.workspace);
    await answerNext(serving, "always");
    const result = await client.callTool({ name: statusTool, arguments: { id } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(sentence);
    expect(serving.written()).not.toBe("one\n");
    expect(serving.session.rules().some(({ scope }) => scope === "session")).toBe(false);
  });

  it("is bound to the call by a sealed state", async () => {
    const serving = open();
    const client = await connectClient(serving, ["http", "modern"], {
      elicit: () => ({ action: "cancel" }),
      inputRequired: { autoFulfill: false },
    });
    const call = (params: object) =>
      client.request(
        { method: "tools/call", params } as never,
        { allowInputRequired: true } as never,
      ) as Promise<Record<string, unknown>>;
    const asked = await call(write);
    const state = String(asked.requestState);
    const inputResponses = { answer_1: { action: "accept", content: { decision: "once" } } };
    const other = { ...write, arguments: { path: "other.txt", content: "" } };
    const forged = `${state.slice(0, -1)}${state.endsWith("0") ? "1" : "0"}`;
    for (const wrong of [
      { ...other, requestState: state },
      { ...write, requestState: forged },
    ]) {
      await expect(call({ ...wrong, inputResponses })).rejects.toMatchObject({ code: -32602 });
    }
    expect(serving.written()).toBeUndefined();
    await call({ ...write, requestState: state, inputResponses });
    expect(serving.written()).toBe("one\n");
    // A repeated answer gets the same result.
    expect(await call({ ...write, requestState: state, inputResponses })).toHaveProperty("content");
    expect(serving.inbox.list()).toHaveLength(1);
  });
});

describe("a client with the tasks extension", () => {
  const openTasks = async (capabilities: object) => {
    const serving = open();
    const http = await startMcpHttp(serving, { port: 0, token });
    onTestFinished(() => http.close());
    const client = await openClient(clientTransport(http.url), "modern");
    let count = 0;
    const dispatch = async (request: unknown) => {
      const { method, params } = request as {
        readonly method: string;
        readonly params: Readonly<Record<string, unknown>>;
      };
      const response = await fetch(http.url, {
        method: "POST",
        headers: {
          ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...{ accept: "application/json, text/event-stream", "mcp-method": method },
          "mcp-protocol-version": "2026-07-28",
          "mcp-name": String(params.taskId ?? params.name),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: `raw-${++count}`, method, params }),
      });
      const body = await response.text();
      const json = body.startsWith("{") ? body : body.replace(/^[\s\S]*data: /u, "");
      const { result, error } = JSON.parse(json) as { result?: never; error?: never };
      return error === undefined
        ? { kind: "result" as const, result: result as never }
        : { kind: "error" as const, error };
    };
    const clientInfo = { name: "test", version: "1.0.0" };
    const session = createTaskSessionFromClient(client, {
      endpointId: "test",
      rawDispatch: dispatch,
      v2RequestFraming: {
        ...{ protocolVersion: "2026-07-28", clientInfo },
        clientCapabilities: capabilities as never,
      },
      onInputRequest: (async () => ({
        action: "accept",
        content: { decision: "once" },
      })) as never,
    });
    onTestFinished(() => session.close());
    return { ...serving, client, tasks: session, dispatch };
  };

  it("gets a task, asks its user and has the result", async () => {
    const { client, tasks, written, inbox } = await openTasks({ elicitation: { form: {} } });
    expect(client.getServerCapabilities()?.extensions).toHaveProperty([
      "io.modelcontextprotocol/tasks",
    ]);
    const execution = await tasks.callTool("write", write.arguments);
    const { outcome } = await execution.settle();
    expect(JSON.stringify(outcome)).toContain("new.txt");
    expect(written()).toBe("one\n");
    expect(inbox.list()[0]?.decision).toMatchObject({ answer: "once", via: "elicitation" });
  });

  it("has the task answered in the inbox, or cancels it", async () => {
    const serving = await openTasks({});
    const { dispatch, inbox, written } = serving;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
    };
    const send = (method: string, params: object) =>
      dispatch({ method, params: { ...params, _meta: meta } });
    const created = await send("tools/call", write);
    expect(created).toMatchObject({ result: { resultType: "task", status: "working" } });
    const { taskId } = (created as unknown as { result: { taskId: string } }).result;
    const get = () => send("tasks/get", { taskId });
    expect(await get()).toMatchObject({ result: { taskId, status: "working" } });
    expect(await send("tasks/get", { taskId: "0".repeat(32) })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await send("tasks/cancel", { taskId })).toMatchObject({ kind: "result" });
    expect(await get()).toMatchObject({ result: { status: "cancelled" } });
    expect(answerQuestion(inbox, taskId, { answer: "once", by: "ada", via: "late" })).toMatchObject(
      {
        refused: "late",
      },
    );
    await send("tools/call", write);
    await answerNext(serving, "no");
    const second = inbox.list().find(({ decision }) => decision?.answer === "no");
    const ended = await send("tasks/get", { taskId: second?.question.id });
    expect(ended).toMatchObject({ result: { status: "completed", result: { isError: true } } });
    expect(written()).toBeUndefined();
  });
});
