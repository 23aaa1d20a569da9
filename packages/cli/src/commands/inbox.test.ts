import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";
import { serveWire } from "../test-support/wire/serve-wire.ts";
import { reply, type WireHandler, wireTool } from "../test-support/wire/wire-platform.ts";

const id = "1".repeat(24);
const itemId = "2".repeat(24);
const clearScreen = "\u001b[2J";

const item = {
  ...{ id: itemId, kind: "question", state: "waiting", tool_id: wireTool("refund").id },
  ...{ source: { type: "invocation", id }, tool_name: "refund", tool_version: "1.0.0" },
  ...{ arguments: { order: 17 }, question: `Refund?${clearScreen}`, schema: { type: "boolean" } },
  ...{ answerers: null, user_id: "u", answered_at: null, answered_by: null, answer: null },
  ...{ answered_via: null, on_behalf_of: null },
  ...{ created_at: "2026-01-02T03:04:05.000Z", deadline_at: "2026-01-03T03:04:05.000Z" },
};

const waiting = {
  ...{ id, tool_id: wireTool("refund").id, tool_version: { major: 1, minor: 0, patch: 0 } },
  ...{ state: "waiting", result: null, created_at: item.created_at, updated_at: item.created_at },
  waiting_for: [
    { kind: "question", until: item.deadline_at, inbox_id: itemId, question: item.question },
  ],
};
const ended = { ...waiting, state: "ended", waiting_for: [] };

function answering(result: unknown): WireHandler {
  return ({ method, path, headers }, response) => {
    if (path.endsWith("/invoke")) {
      if (headers.prefer !== "respond-async") return false;
      return reply(response, 202, { invocations: [{ id }] });
    }
    if (path === `/tool/invocation/${id}/status`) {
      return reply(response, 200, result === null ? waiting : { ...ended, result });
    }
    if (path === `/tool/invocation/${id}/cancel`) {
      return reply(response, 200, { ...ended, result: null });
    }
    if (path === `/tool/invocation/${id}/events`) {
      const events = [
        'id: 1\nevent: state\ndata: {"state":"running"}\n\n',
        `id: 2\nevent: status\ndata: ${JSON.stringify({ event: `half${clearScreen}` })}\n\n`,
        "id: 3\nevent: result\ndata: {}\n\n",
      ];
      response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
      return true;
    }
    if (path === "/inbox") {
      return reply(response, 200, { items: [item], has_more: false, continuation_token: null });
    }
    if (path === `/inbox/${itemId}/link`) {
      return reply(response, 201, { url: "https://haft.example/x", expires_at: item.deadline_at });
    }
    if (path !== `/inbox/${itemId}`) return false;
    const answered = { ...item, state: "answered", answered_by: "u", answer: true };
    return reply(response, 200, method === "GET" ? item : answered);
  };
}

async function open(result: unknown = null) {
  const wire = await serveWire(answering(result));
  const { haft } = createTestWorkspace();
  const run = (...args: readonly string[]) => haft(args, { environment: wire.environment });
  return { ...wire, run };
}

describe("asynchronous invocations in the CLI", () => {
  it("start, show what they wait for, and are cancelled", async () => {
    const { run, requests } = await open();
    expect(await run("tool", "invoke", "word_count", "--async")).toMatchObject({
      ...{ exitCode: 0, stdout: `${id}\n` },
    });
    expect(requests.at(-1)).toMatchObject({ headers: { prefer: "respond-async" } });
    const shown = await run("tool", "wait", id, "--no-wait");
    expect(shown.stdout).toContain(`haft inbox answer ${itemId}`);
    expect(shown.stdout).not.toContain("\u001b");
    expect((await run("tool", "cancel", id)).stdout).toContain("has ended");
  });

  it("are followed until they end, and a failure is exit code 1", async () => {
    const { run } = await open({ succeeded: true, output: "done", duration_ms: 1 });
    const followed = await run("tool", "invoke", "word_count", "--async", "--follow");
    expect(followed).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(followed.stderr).toContain(`[${id}] running\n`);
    expect(followed.stderr).toContain("status: half");
    expect(followed.stderr).not.toContain("\u001b");
    const failed = { exception_type: "RangeError", exception_message: "Too far." };
    const { run: runFailing } = await open({ succeeded: false, duration_ms: 1, ...failed });
    expect(await runFailing("tool", "wait", id)).toMatchObject({
      ...{ exitCode: 1, stdout: "", stderr: expect.stringContaining("RangeError: Too far.") },
    });
  });
});

describe("haft inbox", () => {
  it("lists, shows and answers, with nothing that a terminal would obey", async () => {
    const { run, requests } = await open();
    const listed = await run("inbox");
    expect(listed.stdout).toMatch(/^ID +STATE +TOOL +DEADLINE +QUESTION\n2{24} +waiting +refund/u);
    const shown = await run("inbox", "show", itemId);
    expect(shown.stdout).toContain('Arguments  {"order":17}');
    for (const { stdout } of [listed, shown]) expect(stdout).not.toContain("\u001b");
    for (const [text, answer] of [
      ['{"yes": true}', { yes: true }],
      ["once", "once"],
    ] as const) {
      expect(await run("inbox", "answer", itemId, text)).toMatchObject({ exitCode: 0 });
      expect(requests.at(-1)).toMatchObject({ method: "POST", body: { answer } });
    }
    expect((await run("inbox", "--json")).json()).toEqual({ items: [item] });
    const link = await run("inbox", "link", itemId, "true");
    expect(link).toMatchObject({ exitCode: 0, stdout: "https://haft.example/x\n" });
    expect(link.stderr).toContain("anyone with this link can answer, until 2026-01-03 03:04:05");
    expect(requests.at(-1)).toMatchObject({ method: "POST", body: { answer: true } });
  });
});
