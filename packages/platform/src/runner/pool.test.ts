import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RunnerSettings } from "../platform-settings.ts";
import type { ToolRunResult } from "./runner.ts";
import {
  nodeTool,
  openTestRunner,
  outputOf,
  pythonTool,
  type TestRunner,
} from "./test-support/open-runner.ts";

const counting = `
  let calls = 0;
  export async function runTool({ toolInput: { ms = 0 } }) {
    calls += 1;
    if (ms > 0) await new Promise((r) => setTimeout(r, ms));
    return calls;
  }`;

const reused = { reuse: "process" } as const;

describe("the pool of workers", () => {
  it("keeps blank workers ready, which belong to one tool once it has used them", async () => {
    const runner = open({ blankWorkers: 2, maxWorkers: 8 });
    await runner.ready();
    expect(runner.stats()).toEqual({ workers: 2, blank: 2, busy: 0, waiting: 0 });
    const tool = nodeTool(counting, reused);
    expect(await callIn(runner, tool)).toBe(1);
    expect(await callIn(runner, tool)).toBe(2);
    await until(() => expect(runner.stats()).toMatchObject({ workers: 3, blank: 2 }));
  });

  it("is never shared between organizations, versions, tools or modes", async () => {
    const runner = open({ blankWorkers: 0 });
    const evil = nodeTool(
      `
      import fs from "node:fs";
      export async function runTool({ toolInput: { set } }) {
        const seen = [globalThis.left ?? "", Object.prototype.left ?? "", fs.existsSync("/tmp/left")];
        if (set) {
          globalThis.left = Object.prototype.left = "here";
          fs.mkdirSync("/tmp/left");
        }
        return seen.join();
      }`,
      reused,
    );
    const call = async (over: object, run: object = {}): Promise<string> =>
      outputOf(await runner.call({ ...evil, ...over }, { input: { set: true }, ...run }));
    expect(await call({})).toBe(",,false");
    // The same one sees its own globals, because it asked for that, but no file.
    expect(await call({})).toBe("here,here,false");
    expect(await call({ organization: "b".repeat(24) })).toBe(",,false");
    expect(await call({ version: "1.0.1" })).toBe(",,false");
    expect(await call({ toolId: "2".repeat(24) })).toBe(",,false");
    expect(await call({}, { mode: "conversation-simulation" })).toBe(",,false");
    expect(runner.stats().workers).toBe(5);
  });

  it("hides the processes of other sandboxes", async () => {
    const runner = open({ blankWorkers: 0 });
    const tool = nodeTool(`
      const { readdirSync } = await import("node:fs");
      const before = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).length;
      await new Promise((r) => setTimeout(r, 200));
      return before;`);
    const both = await Promise.all([
      runner.call(tool),
      runner.call({ ...tool, organization: "b".repeat(24) }),
    ]);
    // The process that holds the sandbox, and the worker itself.
    expect(both.map(outputOf)).toEqual(["2", "2"]);
  });

  it("runs ten waiting inputs side by side, even of a tool that used to be quick", async () => {
    const runner = open({ maxWorkers: 12 });
    const tool = nodeTool(counting);
    for (let n = 0; n < 40; n++) await runner.call(tool);
    const leaving = new AbortController();
    const input = { ms: 60_000 };
    const calls = Array.from({ length: 10 }, () =>
      runner.call(tool, { input, signal: leaving.signal }),
    );
    await until(() => expect(runner.stats()).toMatchObject({ busy: 10, waiting: 0 }));
    leaving.abort();
    await Promise.all(calls);
  });

  it("does not let one input that exits, loops or crashes fail or delay the others", async () => {
    const runner = open({ maxWorkers: 12 });
    const tool = nodeTool(
      `export async function runTool({ toolInput: { act } }) {
        if (act === "exit") process.exit(1);
        if (act === "loop") for (;;);
        if (act === "hang") await new Promise(() => {});
        if (act === "crash") process.abort();
        return "fine";
      }`,
      { timeoutMs: 6_000 },
    );
    for (let n = 0; n < 40; n++) await runner.call(tool);
    const acts = ["", "loop", "", "exit", "", "hang", "", "crash", "", ""];
    const started = performance.now();
    const ends: Record<string, number> = {};
    const results = await Promise.all(
      acts.map(async (act) => {
        const result = await runner.call(tool, { input: { act } });
        ends[act] = Math.max(ends[act] ?? 0, performance.now() - started);
        return result;
      }),
    );
    expect(
      results.map((result) => (result.succeeded ? result.output : result.exceptionType)),
    ).toEqual([
      "fine",
      "Timeout",
      "fine",
      "WorkerDied",
      "fine",
      "Timeout",
      "fine",
      "WorkerDied",
      "fine",
      "fine",
    ]);
    // They were not kept waiting by those that loop.
    expect(ends[""]).toBeLessThan(ends.loop ?? 0);
    expect(ends.exit).toBeLessThan(ends.loop ?? 0);
  });

  it("ends idle workers of other tools to make room, and otherwise queues calls in order", async () => {
    const runner = open({ blankWorkers: 1, maxWorkers: 2 });
    const tools = ["a", "b", "c"].map((name) =>
      nodeTool(`${counting}//${name}`, { organization: name.repeat(24) }),
    );
    for (const tool of tools) expect(await callIn(runner, tool)).toBe(1);
    expect(runner.stats().workers).toBeLessThanOrEqual(2);
    const python = pythonTool("return 'ran'");
    expect(outputOf(await runner.call(python))).toBe("ran");
    const [first] = tools as [(typeof tools)[0]];
    const ended: string[] = [];
    const busy = Array.from({ length: 8 }, async (_, n) => {
      await runner.call(first, { input: { ms: 100 } });
      ended.push(`a${n}`);
    });
    const other = runner.call(tools[1] ?? first, { input: { ms: 1 } }).then(() => ended.push("b"));
    await Promise.all([...busy, other]);
    // One organization does not have to wait until another has had all that it asked for.
    expect(ended.indexOf("b")).toBeLessThan(7);
    expect(ended).toHaveLength(9);
  });

  it("recycles workers that exceed the limit of calls or memory", async () => {
    const runner = open({ maxCalls: 3, maxResidentMb: 150 });
    const tool = nodeTool(counting, reused);
    const seen: number[] = [];
    for (let n = 0; n < 5; n++) seen.push(await callIn(runner, tool));
    expect(seen).toEqual([1, 2, 3, 1, 2]);
    const hoarder = nodeTool(
      `
      const held = [];
      export function runTool() { held.push(Buffer.alloc(120e6, 1)); return held.length; }`,
      reused,
    );
    expect([await callIn(runner, hoarder), await callIn(runner, hoarder)]).toEqual([1, 1]);
  });

  it("stops cancelled calls", async () => {
    const runner = open({});
    const tool = nodeTool("await new Promise((r) => setTimeout(r, 1e5));");
    const leaving = new AbortController();
    const calls = Array.from({ length: 3 }, () => runner.call(tool, { signal: leaving.signal }));
    await until(() => expect(runner.stats().busy).toBe(3));
    leaving.abort();
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ succeeded: false, exceptionType: "Cancelled" });
    }
    await until(() => expect(runner.stats().busy).toBe(0));
  });

  it("lets running calls end when it closes, up to a limit, and leaves no process behind", async () => {
    const runner = openTestRunner({ blankWorkers: 1, maxWorkers: 4 });
    await runner.ready();
    const soon = runner.call(nodeTool(counting), { input: { ms: 300 } });
    const never = runner.call(nodeTool("await new Promise(() => {});"));
    const child = runner.call(
      nodeTool(
        `(await import("node:child_process")).spawn("sleep", ["98765"]); await new Promise(() => {});`,
      ),
    );
    await until(() => expect(findProcesses("98765")).toHaveLength(1));
    const closing = runner.close(800);
    const late = runner.call(nodeTool(counting));
    await closing;
    expect(outputOf(await soon)).toBe("1");
    for (const result of [await never, await child, await late]) {
      expect(result).toMatchObject({
        exceptionType: "WorkerDied",
        exceptionMessage: expect.stringContaining("shut down"),
      });
    }
    expect(findProcesses("98765")).toEqual([]);
    expect(runner.stats()).toMatchObject({ workers: 0, busy: 0, waiting: 0 });
  });

  it("says why a tool can't run if its code is missing", async () => {
    const runner = open({});
    const tool = nodeTool(counting, { load: () => Promise.reject(new Error("no such artifact")) });
    expect(await runner.call(tool)).toMatchObject({
      exceptionType: "WorkerDied",
      exceptionMessage: expect.stringContaining("no such artifact"),
    });
  });

  it("gives a tool that asks for more memory a sandbox of its own", async () => {
    const runner = open({});
    const hungry = "return Buffer.alloc(300e6, 1).length;";
    expect(outputOf(await runner.call(nodeTool(hungry, { memoryMb: 512 })))).toBe("300000000");
    expect(await runner.call(nodeTool(hungry))).toMatchObject({ succeeded: false });
  });
});

async function callIn(
  runner: TestRunner,
  tool: Parameters<TestRunner["call"]>[0],
): Promise<number> {
  const result: ToolRunResult = await runner.call(tool);
  return Number(outputOf(result));
}

function until(look: () => void): Promise<void> {
  return vi.waitFor(look, { timeout: 15_000 });
}

// Without blank workers unless a test needs them: each takes time to start.
function open(settings: Partial<RunnerSettings>): TestRunner {
  const runner = openTestRunner({ blankWorkers: 0, ...settings });
  onTestFinished(() => runner.close(0));
  return runner;
}

/** Processes of this machine with a word among their arguments. */
function findProcesses(word: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/u.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes(`sleep\0${word}`)
      );
    } catch {
      return false;
    }
  });
}
