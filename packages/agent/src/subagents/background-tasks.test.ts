import type { Tool } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { linesOf, type ScriptedAnswer, scriptModel } from "../loop/test-support/script-model.ts";
import { makeManifest, openTestAgents } from "./test-support/open-test-agents.ts";

const call = (name: string, input: unknown, id = `c-${name}`): ScriptedAnswer => ({
  calls: [{ id, name, input }],
});

function background(subagent_type: string, at = 0) {
  const input = { subagent_type, prompt: `Go ${at}.`, background: true };
  return { name: "task", arguments: input };
}

interface Gate extends Tool {
  /** How many calls wait now. */
  waiting(): number;
  open(): void;
}

// A tool whose calls wait until they are let through.
function createGate(): Gate {
  const waiting = new Set<() => void>();
  return {
    id: "gate",
    description: "Waits.",
    parameters: { type: "object" },
    requires: {},
    kind: "other",
    source: "builtin",
    timeoutMs: "none",
    execution: { resourceKeys: () => [] },
    execute: (_, { signal }) =>
      new Promise((resolve, reject) => {
        const pass = (): void => {
          waiting.delete(pass);
          resolve({});
        };
        waiting.add(pass);
        signal.addEventListener("abort", () => {
          waiting.delete(pass);
          reject(signal.reason);
        });
      }),
    waiting: () => waiting.size,
    open: () => {
      for (const pass of waiting) pass();
    },
  };
}

function openGated(answer = "Done.") {
  const gate = createGate();
  const look: Tool = { ...gate, id: "look", execute: async () => ({ seen: true }) };
  const opened = openTestAgents({
    manifests: [makeManifest("worker")],
    tools: [gate, look],
    model: () => scriptModel([call("gate", {}), { text: answer }]),
  });
  return { gate, ...opened };
}

async function begin(session: ReturnType<typeof openGated>["session"]): Promise<string> {
  const result = await session.call(background("worker"));
  return (result as { data: { task_id: string } }).data.task_id;
}

const never = new AbortController().signal;

describe("a task in the background", () => {
  it("is begun at once, and its end is told once", async () => {
    const { session, subagents, gate, open, sessions } = openGated();
    const work = subagents.backgroundOf(session.id);
    expect(await session.call(background("worker"))).toMatchObject({
      data: { status: "running", agent: "worker", thread: sessions[0]?.id },
    });
    expect(work.running()).toBe(1);
    expect(work.takeNotices(String)).toEqual([]);
    const next = work.next(never);
    await expect.poll(gate.waiting).toBe(1);
    gate.open();
    await next;
    expect(work.running()).toBe(0);
    expect(work.takeNotices(String)).toEqual([
      expect.stringMatching(
        /^The background task task-\w{6} \(worker\) has finished\.\nAnswer:\nDone\.$/u,
      ),
    ]);
    expect(work.takeNotices(String)).toEqual([]);
    expect(open()).toBe(0);
    await work.next(never);
  });

  it("stops waiting when the waiter is aborted", async () => {
    const { session, subagents } = openGated();
    await begin(session);
    const aborter = new AbortController();
    const next = subagents.backgroundOf(session.id).next(aborter.signal);
    aborter.abort();
    await next;
    expect(subagents.backgroundOf(session.id).running()).toBe(1);
  });

  it("reports its end to the parent's model in the same turn", async () => {
    const gate = createGate();
    const parent = scriptModel([
      call("task", background("worker").arguments),
      { text: "It is under way." },
      { text: "It is done." },
    ]);
    const worker = scriptModel([call("gate", {}), { text: "Found it." }]);
    const { agent } = openTestAgents({
      manifests: [makeManifest("worker")],
      tools: [gate],
      model: (name) => (name === "build" ? parent : worker),
    });
    const turn = agent.prompt("Go.");
    await expect.poll(gate.waiting).toBe(1);
    gate.open();
    expect(await turn).toMatchObject({ reason: "end", text: "It is done." });
    expect(linesOf(parent.requests[2]).at(-1)).toMatch(
      /\(worker\) has finished\.\nAnswer:\nFound it\./u,
    );
  });

  it("tells where the rest of a long answer is", async () => {
    const { session, subagents, gate } = openGated("x".repeat(30_000));
    const id = await begin(session);
    await expect.poll(gate.waiting).toBe(1);
    gate.open();
    const work = subagents.backgroundOf(session.id);
    await work.next(never);
    const [notice] = work.takeNotices(String);
    expect(notice?.length).toBeLessThan(20_500);
    expect(notice).toContain(
      `[10000 more characters. \`task_output\` with task_id ${id} shows all`,
    );
    const shown = await session.call({ name: "task_output", arguments: { task_id: id } });
    expect(shown).toMatchObject({ data: { status: "done", text: "x".repeat(30_000) } });
  });

  it("is shown by task_output, which can wait for it", async () => {
    const { session, subagents, gate } = openGated();
    const id = await begin(session);
    const output = { name: "task_output", arguments: { task_id: id } };
    expect(await session.call(output)).toMatchObject({
      data: { task_id: id, status: "running", agent: "worker" },
    });
    const waiting = session.call({ ...output, arguments: { task_id: id, wait: true } });
    await expect.poll(gate.waiting).toBe(1);
    gate.open();
    expect(await waiting).toMatchObject({
      data: { task_id: id, status: "done", text: "Done.", reason: "end", steps: 2 },
    });
    // What the model has seen need not be told again.
    expect(subagents.backgroundOf(session.id).takeNotices(String)).toEqual([]);
  });

  it("continues when a call that waits for it is aborted", async () => {
    const { session, subagents, gate } = openGated();
    const id = await begin(session);
    const aborter = new AbortController();
    const waiting = session.call(
      { name: "task_output", arguments: { task_id: id, wait: true } },
      aborter,
    );
    await expect.poll(gate.waiting).toBe(1);
    aborter.abort();
    expect(await waiting).toMatchObject({ metadata: { error_code: "cancelled" } });
    expect(subagents.backgroundOf(session.id).running()).toBe(1);
  });

  it("is stopped by task_stop", async () => {
    const { session, subagents, gate, open } = openGated();
    const id = await begin(session);
    await expect.poll(gate.waiting).toBe(1);
    const stop = { name: "task_stop", arguments: { task_id: id } };
    expect(await session.call(stop)).toMatchObject({ data: { task_id: id, status: "stopped" } });
    expect(gate.waiting()).toBe(0);
    expect(open()).toBe(0);
    expect(subagents.backgroundOf(session.id).takeNotices(String)).toEqual([]);
    expect(await session.call(stop)).toMatchObject({ data: { status: "stopped" } });
  });

  it("is invisible to other sessions", async () => {
    const { session, subagents } = openGated();
    const id = await begin(session);
    expect(subagents.backgroundOf("another").running()).toBe(0);
    const other = await session.call({
      name: "task_output",
      arguments: { task_id: "task-nobody" },
    });
    expect(other).toMatchObject({
      error_text: expect.stringContaining(`Tasks: ${id} (worker, running).`),
      metadata: { error_code: "not-found" },
    });
  });

  it("is stopped with its parent, and so are its own", async () => {
    const gate = createGate();
    const { session, subagents, open } = openTestAgents({
      manifests: [makeManifest("outer"), makeManifest("inner")],
      tools: [gate],
      model: (name) =>
        scriptModel([
          name === "outer" ? call("task", background("inner").arguments) : call("gate", {}),
          { text: "Waiting." },
          { text: "Told." },
        ]),
    });
    await session.call(background("outer"));
    await expect.poll(gate.waiting).toBe(1);
    expect(open()).toBe(2);
    await subagents.stop(session.id);
    expect(gate.waiting()).toBe(0);
    expect(open()).toBe(0);
    expect(subagents.backgroundOf(session.id).takeNotices(String)).toEqual([
      expect.stringMatching(/\(outer\) was stopped\./u),
    ]);
  });

  it("also stops the calls of a child that was aborted in the foreground", async () => {
    const gate = createGate();
    const { session, open } = openTestAgents({
      manifests: [makeManifest("outer"), makeManifest("inner")],
      tools: [gate],
      model: (name) =>
        scriptModel([
          name === "outer" ? call("task", background("inner").arguments) : call("gate", {}),
          { text: "Waiting." },
        ]),
    });
    const aborter = new AbortController();
    const { arguments: input } = background("outer");
    const running = session.call(
      { name: "task", arguments: { ...input, background: false } },
      aborter,
    );
    await expect.poll(gate.waiting).toBe(1);
    aborter.abort();
    expect(await running).toMatchObject({ metadata: { error_code: "cancelled" } });
    await expect.poll(open).toBe(0);
    expect(gate.waiting()).toBe(0);
  });

  it("runs beside forty-nine others while further ones wait in line, and the parent continues", async () => {
    const { session, subagents, gate, open } = openGated();
    const work = subagents.backgroundOf(session.id);
    await session.batch(Array.from({ length: 60 }, (_, at) => background("worker", at)));
    expect(work.running()).toBe(60);
    await expect.poll(gate.waiting).toBe(50);
    expect(await session.call({ name: "look" })).toMatchObject({ data: { seen: true } });
    expect(gate.waiting()).toBe(50);
    gate.open();
    await expect.poll(gate.waiting).toBe(10);
    gate.open();
    await expect.poll(work.running).toBe(0);
    expect(work.takeNotices(String)).toHaveLength(60);
    expect(open()).toBe(0);
  });

  it("is refused where very many wait already", async () => {
    const { session, subagents, open } = openGated();
    const outcomes = await session.batch(
      Array.from({ length: 300 }, (_, at) => background("worker", at)),
    );
    const refused = outcomes.filter(({ result }) => result.metadata.error_code === "quota");
    expect(refused).toHaveLength(50);
    await subagents.stop(session.id);
    expect(open()).toBe(0);
    expect(await session.call(background("worker"))).toMatchObject({ type: "output" });
  });

  it("does not wait for a place that its own parent has", async () => {
    const { session, subagents, open } = openTestAgents({
      manifests: [makeManifest("outer"), makeManifest("inner")],
      tools: [],
      model: (name) =>
        scriptModel(
          name === "outer"
            ? [call("task", background("inner").arguments), { text: "1." }, { text: "2." }]
            : [{ text: "Done." }],
        ),
    });
    await session.batch(Array.from({ length: 50 }, (_, at) => background("outer", at)));
    const work = subagents.backgroundOf(session.id);
    await expect.poll(work.running).toBe(0);
    expect(work.takeNotices(String).every((notice) => notice.includes("has finished"))).toBe(true);
    expect(open()).toBe(0);
  });
});
