import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSessionInbox, type StoredQuestion } from "@haft/computer/internal";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

interface Item {
  readonly id: string;
  readonly tool_name: string;
  readonly state: string;
}

const write = ["call", "write", "path=a.txt", "content=one", "--json"];

function open() {
  const workspace = createTestWorkspace();
  const inbox = openSessionInbox(workspace.state);
  const isWritten = (): boolean => existsSync(join(workspace.directory, "a.txt"));
  return { ...workspace, inbox, isWritten };
}

/** Waits until a call waits in the inbox. Returns the ID of its question. */
async function findWaiting({ state }: TestWorkspace): Promise<string> {
  for (;;) {
    const found = openSessionInbox(state)
      .list()
      .find((entry) => entry.state === "waiting");
    if (found !== undefined) return found.question.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("haft call --wait", () => {
  it("waits for haft inbox, which needs no server, and runs the call once", async () => {
    const workspace = open();
    const { haft, state, isWritten } = workspace;
    const refused = await haft(write);
    expect(refused.exitCode).toBe(9);
    expect(refused.stdout).toMatch(/--wait 2h: haft inbox/u);
    const calling = haft([...write, "--wait", "10m"]);
    const id = await findWaiting(workspace);
    const directory = join(state, "inbox", id);
    const question = join(directory, "question.json");
    expect([statSync(directory).mode & 0o777, statSync(question).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect((await haft(["inbox"])).stdout).toMatch(/^ID .*\n[0-9a-f]{32} +waiting +write /u);
    expect((await haft(["inbox", "show", id])).stdout).toContain("write a.txt allow");
    expect(isWritten()).toBe(false);
    const answer = (...words: readonly string[]) => haft(["inbox", "answer", ...words]);
    expect((await answer(id, "maybe")).stderr).toContain("once, always, project, no");
    expect((await answer("f".repeat(32), "once")).stderr).toContain("no question f");
    expect((await answer("nonsense", "once")).stderr).toContain("is not an ID of the inbox");
    expect((await answer(id, "once", "--reason", "why")).stderr).toContain("for the answer no");
    const both = await Promise.all([answer(id, "always"), answer(id, "no")]);
    expect(both.map(({ exitCode }) => exitCode === 0).sort()).toEqual([false, true]);
    const isFirst = both[0]?.exitCode === 0;
    expect((await calling).exitCode === 0).toBe(isFirst);
    expect(isWritten()).toBe(isFirst);
    const shown = await haft(["sessions", "show", "default"]);
    expect(shown.stdout).toMatch(/ {4}answered (always|no) by .* haft inbox \([0-9a-f]{32}\)/u);
    // The rule that "always" stored.
    if (isFirst) expect((await haft(write)).exitCode).toBe(0);
  });

  it("has a person answer the tool question, also after its process has ended", async () => {
    const workspace = open();
    const { haft, inbox } = workspace;
    const questions = [
      { question: "Which color?", options: [{ label: "red", description: "loud" }] },
      { header: "Sizes", question: "Which?", options: [{ label: "S" }], multi_select: true },
    ];
    const ask = ["call", "question", `questions:=${JSON.stringify(questions)}`, "--json"];
    expect((await haft(ask)).exitCode).toBe(9);
    const asking = haft([...ask, "--wait", "10m"]);
    const id = await findWaiting(workspace);
    const shown = (await haft(["inbox", "show", id])).stdout;
    expect(shown).toMatch(/- red: loud\n[\s\S]*\(question, waiting, waiting\)/u);
    expect(shown).not.toContain("Always");
    const answer = (text: string) => haft(["inbox", "answer", id, text]);
    expect((await answer("red")).stderr).toContain("answer_1, answer_2");
    expect((await answer('{"answer_1": "red", "answer_2": 3}')).stderr).toContain("answer_2");
    expect((await answer('{"answer_1": "dark red", "answer_2": ["S", "M"]}')).exitCode).toBe(0);
    const { exitCode, stdout } = await asking;
    expect({ exitCode, out: JSON.parse(stdout).data }).toEqual({
      ...{ exitCode: 0, out: { answers: [["dark red"], ["S", "M"]] } },
    });
    expect(inbox.find(id)).toMatchObject({ state: "answered", progress: "ended" });
    const json = (await haft(["inbox", "show", id, "--json"])).json<{ answer: unknown }>();
    expect(json.answer).toEqual({ answer_1: "dark red", answer_2: ["S", "M"] });
    // What an ended process asked is answered, and the same command uses that once.
    const { id: _, ...question } = { ...(inbox.find(id)?.question as StoredQuestion) };
    const left = inbox.add(question);
    const path = join(workspace.state, "inbox", left.id, "holder.json");
    const holder = readFileSync(path, "utf8");
    writeFileSync(path, holder.replace(/"started":"\d+"/u, '"started":"0"'));
    await haft(["inbox", "answer", left.id, '["blue", ["L"]]']);
    const again = await haft([...ask, "--wait", "10m"]);
    expect(JSON.parse(again.stdout).data).toEqual({ answers: [["blue"], ["L"]] });
    expect(inbox.list()).toHaveLength(2);
  });

  it("tells the model that no person answered a question until the deadline", async () => {
    const workspace = open();
    const questions = JSON.stringify([{ question: "Why?" }]);
    const asked = await workspace.haft([
      "call",
      "question",
      `questions:=${questions}`,
      "--wait",
      "1s",
    ]);
    expect(asked.exitCode).not.toBe(0);
    expect(asked.stderr + asked.stdout).toContain("No person answered until");
  });

  it("denies at the deadline, and refuses an answer after it", async () => {
    const workspace = open();
    const calling = workspace.haft([...write, "--wait", "1s"]);
    const id = await findWaiting(workspace);
    const { exitCode, stdout } = await calling;
    expect(exitCode).not.toBe(0);
    expect(stdout).toContain("no person gave it until");
    const late = await workspace.haft(["inbox", "answer", id, "once"]);
    expect(late.stderr).toContain("deadline has passed");
    expect(workspace.isWritten()).toBe(false);
  });

  it("does not apply changes of a command to files that changed meanwhile", async () => {
    const workspace = open();
    const { haft, directory } = workspace;
    writeFileSync(join(directory, "log"), "1\n");
    const command = "echo 2 >> log";
    const calling = haft(["call", "bash", `command=${command}`, "--json", "--wait", "10m"]);
    const id = await findWaiting(workspace);
    writeFileSync(join(directory, "log"), "other\n");
    await haft(["inbox", "answer", id, "once"]);
    expect((await calling).exitCode).not.toBe(0);
    expect(readFileSync(join(directory, "log"), "utf8")).toBe("other\n");
  });
});

describe("haft serve", () => {
  it("lets administrators of its own organization answer calls of sessions over HTTP", async () => {
    const workspace = open();
    const stop = new AbortController();
    const { promise: greeting, resolve: greet } = Promise.withResolvers<string>();
    const serving = workspace.haft(["serve", "--port", "0"], {
      ...{ signal: stop.signal, onOutput: greet },
    });
    await greeting;
    const path = join(workspace.state, "platform", "credentials.json");
    const { url, organization, api_key } = JSON.parse(readFileSync(path, "utf8"));
    const send = async (key: string, way: string, body?: object) => {
      const response = await fetch(`${url}/v1/${organization}/${way}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { items: Item[] } };
    };
    const some = { name: "Answerer", permissions: ["Inbox:GetItem", "Inbox:AnswerItem"] };
    await send(api_key, "organization/role/", some);
    const order = { name: null, duration: "PT1H", role_name: some.name };
    const made = await send(api_key, "organization/api_key/", order);
    const answerer = (made.body as unknown as { api_key: string }).api_key;

    const calling = workspace.haft([...write, "--wait", "10m"]);
    const id = await findWaiting(workspace);
    const item = { id, kind: "approval", source: { type: "session" }, tool_name: "write" };
    expect((await send(api_key, "inbox")).body.items).toMatchObject([item]);
    expect((await send(answerer, "inbox")).body.items).toEqual([]);
    expect((await send(answerer, `inbox/${id}`, { answer: "once" })).status).toBe(404);
    expect((await send(api_key, `inbox/${id}`, { answer: "yes" })).status).toBe(422);
    expect((await send(api_key, `inbox/${id}`, { answer: "once" })).status).toBe(200);
    expect((await send(api_key, `inbox/${id}`, { answer: "no" })).status).toBe(409);
    expect((await calling).exitCode).toBe(0);
    expect(workspace.inbox.find(id)?.decision).toMatchObject({ answer: "once", via: "HTTP" });
    const asked = ["call", "question", 'questions:=[{"question": "Why?"}]', "--json"];
    const asking = workspace.haft([...asked, "--wait", "10m"]);
    const question = await findWaiting(workspace);
    const listedItem = { id: question, kind: "question", question: "Why?", tool_name: "question" };
    expect((await send(api_key, "inbox")).body.items).toMatchObject([listedItem]);
    expect((await send(answerer, `inbox/${question}`, { answer: "no" })).status).toBe(404);
    expect((await send(api_key, `inbox/${question}`, { answer: 3 })).status).toBe(422);
    expect((await send(api_key, `inbox/${question}`, { answer: "no" })).status).toBe(200);
    expect(JSON.parse((await asking).stdout).data).toEqual({ answers: [["no"]] });
    // Listed once, although the server has it too.
    const listed = await workspace.haft(["inbox", "--state", "answered", "--json"]);
    expect(listed.json<{ items: Item[] }>().items).toMatchObject([item, listedItem]);
    stop.abort();
    await serving;
  });
});

describe("haft hooks elicitation", () => {
  const input = (message: string) =>
    JSON.stringify({ hook_event_name: "Elicitation", mcp_server_name: "haft", message });

  it("answers a form of Haft with what a person answers, and no other form", async () => {
    const workspace = open();
    const { haft, inbox } = workspace;
    const calling = haft([...write, "--wait", "10m"]);
    const id = await findWaiting(workspace);
    const text = "write: a.txt";
    const message = `${text}\n\nIn the inbox: ${id} ${inbox.sign(`${id} ${text}`).slice(0, 32)}`;
    const hook = (given: string, ...more: string[]) =>
      haft(["hooks", "elicitation", ...more], { input: given });
    for (const foreign of ["Delete all?", message.replace("a.txt", "b.txt")]) {
      expect(await hook(input(foreign))).toMatchObject({ exitCode: 0, stdout: "" });
    }
    expect((await hook("{}")).stderr).toContain("not the JSON of an Elicitation hook");
    const unanswered = await hook(input(message), "--wait", "0s");
    expect(unanswered.json()).toMatchObject({ hookSpecificOutput: { action: "cancel" } });
    const hooked = hook(input(message));
    expect((await haft(["inbox", "answer", id, "once"])).exitCode).toBe(0);
    expect((await hooked).json()).toEqual({
      hookSpecificOutput: {
        ...{ hookEventName: "Elicitation", action: "accept" },
        content: { decision: "once" },
      },
    });
    expect((await calling).exitCode).toBe(0);
  });

  it("answers a form with questions, too", async () => {
    const workspace = open();
    const { haft, inbox } = workspace;
    const questions = JSON.stringify([{ question: "Why?" }, { question: "How?" }]);
    const calling = haft(["call", "question", `questions:=${questions}`, "--wait", "10m"]);
    const id = await findWaiting(workspace);
    const text = "Why?\nHow?";
    const message = `${text}\n\nIn the inbox: ${id} ${inbox.sign(`${id} ${text}`).slice(0, 32)}`;
    const hooked = haft(["hooks", "elicitation"], { input: input(message) });
    await haft(["inbox", "answer", id, '["so", "thus"]']);
    expect((await hooked).json()).toMatchObject({
      hookSpecificOutput: { action: "accept", content: { answer_1: "so", answer_2: "thus" } },
    });
    expect((await calling).exitCode).toBe(0);
  });
});
