import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  nodeTool,
  openTestRunner,
  outputOf,
  pythonTool,
  type TestRunner,
} from "./test-support/open-runner.ts";

const reused = { reuse: "process" } as const;

describe("a bad tool", () => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner();
  });
  afterAll(() => runner.close(0));
  const loops = { timeoutMs: 400 };

  it.concurrent.each([
    ["loops", nodeTool("for (;;);", loops)],
    ["waits for ever", nodeTool("await new Promise(() => {});", loops)],
    ["loops as it is loaded", nodeTool("for (;;); export function runTool() {}", loops)],
    [
      "waits as it is loaded",
      nodeTool("await new Promise(() => setTimeout(() => {}, 1e6)); export {}", loops),
    ],
    ["loops in Python", pythonTool("while True: pass", loops)],
    ["sleeps in Python", pythonTool("import time; time.sleep(1000)", loops)],
  ])("that %s is stopped at its time limit", async (_, tool) => {
    const result = await runner.call(tool);
    expect(result).toMatchObject({
      succeeded: false,
      exceptionType: "Timeout",
      exceptionMessage: expect.stringContaining("400 ms"),
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(400);
  });

  it.concurrent.each([
    ["exits", nodeTool("process.exit(3);"), "exit code 3"],
    ["exits as it is loaded", nodeTool("process.exit(0); export {}"), "exit code 0"],
    ["kills itself", nodeTool("process.kill(process.pid, 'SIGKILL'); for (;;);"), "SIGKILL"],
    ["aborts", nodeTool("process.abort();"), "SIGABRT"],
    ["exits in Python", pythonTool("import os; os._exit(7)"), "exit code 7"],
    ["crashes in Python", pythonTool("import ctypes; ctypes.string_at(0)"), "SIGSEGV"],
    [
      "leaks objects",
      nodeTool("const all = []; for (;;) all.push(new Array(1e5).fill(1.5));"),
      "memory: its limit is 128 MB",
    ],
    [
      "writes to the channel of the server",
      nodeTool("(await import('node:fs')).writeSync(3, 'junk\\n'); await new Promise(() => {});"),
      "wrote to the channel",
    ],
    [
      "forges an answer",
      nodeTool(
        `(await import('node:fs')).writeSync(3, JSON.stringify({ kind: "result", number: 1, output: "forged", ms: 0 }) + "\\n"); await new Promise(() => {});`,
      ),
      "wrote to the channel",
    ],
    [
      "writes a line without end",
      nodeTool(
        "const { writeSync } = await import('node:fs'); for (;;) writeSync(3, 'x'.repeat(65536));",
      ),
      "wrote to the channel",
    ],
  ])("that %s fails because its worker dies", async (_, tool, reason) => {
    expect(await runner.call(tool)).toMatchObject({
      succeeded: false,
      exceptionType: "WorkerDied",
      exceptionMessage: expect.stringContaining(reason),
    });
  });

  it.concurrent.each([
    [
      "leaks in Python",
      pythonTool("x = []\nwhile True: x.append(bytearray(10**7))"),
      "MemoryError",
    ],
    [
      "leaves a rejection unhandled",
      nodeTool(
        "Promise.reject(new RangeError('lost')); await new Promise((r) => setTimeout(r, 1e4));",
      ),
      "RangeError",
    ],
    [
      "leaves an exception unhandled",
      nodeTool("setTimeout(() => { throw new RangeError('lost'); }); await new Promise(() => {});"),
      "RangeError",
    ],
    ["returns nothing", nodeTool("return;"), "InvalidOutput"],
    ["returns a function", nodeTool("return () => {};"), "InvalidOutput"],
    ["returns a BigInt", nodeTool("return { n: 1n };"), "InvalidOutput"],
    ["returns a circle", nodeTool("const a = {}; a.a = a; return a;"), "InvalidOutput"],
    ["returns too much", nodeTool("return 'x'.repeat(20001);"), "OutputTooLarge"],
    ["returns very much", nodeTool("return 'x'.repeat(50_000_000);"), "OutputTooLarge"],
  ])("that %s fails with what it did", async (_, tool, type) => {
    expect(await runner.call(tool)).toMatchObject({ succeeded: false, exceptionType: type });
  });

  it.concurrent("that leaks buffers fails because memory ran out", async () => {
    const tool = nodeTool("const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));");
    // Node throws if it can't allocate a buffer, and dies if too little is left for itself then.
    expect(await runner.call(tool)).toMatchObject({
      succeeded: false,
      exceptionType: expect.stringMatching(/^(?:RangeError|WorkerDied)$/u),
      exceptionMessage: expect.stringMatching(/^Failed to allocate memory$|ran out of memory/u),
    });
  });

  it.each([
    [
      "console.log",
      nodeTool("for (let n = 0; n < 2e5; n++) console.log('x'.repeat(5000)); return 'ok';"),
    ],
    [
      "its descriptor",
      nodeTool(
        "const { writeSync } = await import('node:fs'); for (let n = 0; n < 16000; n++) writeSync(1, 'x'.repeat(65535) + '\\n'); return 'ok';",
      ),
    ],
    ["print", pythonTool("for n in range(200000): print('x' * 5000)\nreturn 'ok'")],
    [
      "a process of its own",
      nodeTool(
        "(await import('node:child_process')).spawnSync('sh', ['-c', 'yes | head -c 1000000000'], { stdio: 'inherit' }); return 'ok';",
      ),
    ],
  ])("that prints a gigabyte by %s is logged up to a limit", async (_, tool) => {
    // A gigabyte takes its time on a busy machine.
    const patient = { ...tool, timeoutMs: 60_000 };
    const result = await runner.call(patient);
    expect(outputOf(result)).toBe("ok");
    const { stdout, stderr } = result.printed ?? {};
    const printed = stdout?.text ? stdout : stderr;
    expect(printed?.text.length).toBeGreaterThan(60_000);
    expect(printed?.text.length).toBeLessThan(70_000);
    expect(printed?.text).toContain(`… ${printed?.omittedCharacters} characters were left out …`);
    expect(printed?.omittedCharacters).toBeGreaterThan(9e8);
  });

  it("that opens the fork bomb fails alone", async () => {
    const bomb = nodeTool(
      `const { spawn } = await import("node:child_process");
       for (let n = 0; n < 200; n++) spawn("sh", ["-c", "f() { f | f & }; f; sleep 100"]).on("error", () => {});
       await new Promise((r) => setTimeout(r, 1000)); return "bombed";`,
      { timeoutMs: 5_000 },
    );
    const result = await runner.call(bomb);
    expect(result.succeeded ? result.output : result.exceptionType).toMatch(
      /bombed|WorkerDied|Timeout|Error/u,
    );
    expect(outputOf(await runner.call(nodeTool("return 'fine';")))).toBe("fine");
  });

  it("can write only to wiped directories and reach no host", async () => {
    const tool = nodeTool(`
      import fs from "node:fs";
      import net from "node:net";
      const attempt = (act) => { try { act(); return "could"; } catch (error) { return error.code; } };
      export async function runTool() {
        const connect = (options) => new Promise((resolve) => {
          const socket = net.connect(options, () => resolve("could")).on("error", (error) => resolve(error.code));
        });
        return {
          root: attempt(() => fs.writeFileSync("/made", "x")),
          etc: attempt(() => fs.writeFileSync("/etc/made", "x")),
          here: attempt(() => fs.writeFileSync("made", "x")),
          big: attempt(() => fs.writeFileSync("/tmp/big", Buffer.alloc(65 * 1024 * 1024))),
          left: fs.readdirSync("/tmp").includes("kept"),
          scratch: attempt(() => fs.writeFileSync("/tmp/kept", "x")),
          public: await connect({ host: "192.0.2.1", port: 80 }),
          loopback: await connect({ host: "127.0.0.1", port: 22 }),
          environment: Object.keys(process.env).filter((name) => /HAFT|DATABASE|VITEST/.test(name)),
        };
      }`);
    process.env.DATABASE_HOST = "db.internal";
    try {
      const wary = openTestRunner({ blankWorkers: 0 });
      for (const result of [await wary.call(tool), await wary.call(tool)]) {
        const found = JSON.parse(outputOf(result)) as Record<string, unknown>;
        expect(found).toMatchObject({ root: "EROFS", etc: "EROFS", left: false, scratch: "could" });
        expect(found.here).not.toBe("could");
        expect(found.big).not.toBe("could");
        expect(found.public).not.toBe("could");
        expect(found.loopback).not.toBe("could");
        expect(found.environment).toEqual([]);
      }
      await wary.close(0);
    } finally {
      delete process.env.DATABASE_HOST;
    }
  });

  it("leaves no trace for its own next call", async () => {
    const tool = nodeTool(
      `
      import { spawn } from "node:child_process";
      let calls = 0;
      export async function runTool({ toolInput: { leave } }) {
        calls += 1;
        const seen = calls;
        if (leave === "process") spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
        if (leave === "timer") setTimeout(() => process.exit(1), 200);
        if (leave === "interval") setInterval(() => {}, 1).unref();
        if (leave === "server") (await import("node:net")).createServer().listen(0);
        if (leave === "rejection") Promise.reject(new Error("late"));
        return seen;
      }`,
      reused,
    );
    const call = async (leave: string): Promise<number> =>
      Number(outputOf(await runner.call(tool, { input: { leave } })));
    expect([await call(""), await call("")]).toEqual([1, 2]);
    // Timers are cleared, and the worker stays.
    expect([await call("timer"), await call("interval")]).toEqual([3, 4]);
    await wait(300);
    expect([await call(""), await call("process")]).toEqual([5, 6]);
    // A worker with work left running is replaced.
    expect(await call("server")).toBe(1);
    expect([await call(""), await call("")]).toEqual([1, 2]);
  });

  it("that leaves threads or processes in Python gets another sandbox", async () => {
    const tool = pythonTool(
      `
import subprocess, threading, time
calls = 0
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    global calls
    calls += 1
    if tool_input["leave"] == "thread":
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    if tool_input["leave"] == "process":
        subprocess.Popen(["sleep", "100"], start_new_session=True)
    open("/tmp/left", "w").write("x")
    return calls
`,
      reused,
    );
    const seen: number[] = [];
    for (const leave of ["", "thread", "process", "", ""]) {
      seen.push(Number(outputOf(await runner.call(tool, { input: { leave } }))));
    }
    expect(seen).toEqual([1, 2, 1, 1, 2]);
  });
});
