import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolResult } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createProgramPool } from "./program-pool.ts";
import { openPrograms } from "./test-support/open-programs.ts";

const textOf = (result: ToolResult): string =>
  result.type === "error" ? result.error_text : JSON.stringify(result.data);

describe.skipIf(isMissing("bwrap"))("the process of a program", () => {
  it("has no files, network, environment, programs or evaluated code", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-look-"));
    const secret = join(directory, "secret.txt");
    writeFileSync(secret, "secret");
    const script = new URL("./test-support/look-around.ts", import.meta.url).pathname;
    const pool = createProgramPool(join(directory, "pool"), script);
    onTestFinished(async () => {
      await pool.close();
      rmSync(directory, { recursive: true, force: true });
    });
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const variable = "HAFT_TEST_SECRET_VARIABLE";
    process.env[variable] = "secret";
    onTestFinished(() => void delete process.env[variable]);
    const blank = await pool.take();
    const found = await new Promise<string>((resolve, reject) => {
      blank.listen({
        onOutput: resolve,
        onEnd: ({ lastWords }) => reject(new Error(lastWords)),
      });
      void blank.write(JSON.stringify({ secret, port }));
    });
    await blank.stop();
    const { environment, ...rest } = JSON.parse(found) as { environment: readonly string[] };
    expect(environment).not.toContain(variable);
    expect(rest).toEqual({
      file: "ERR_ACCESS_DENIED",
      directory: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      evaluate: "failed",
      network: expect.not.stringContaining("connected"),
    });
  });
});

describe.skipIf(isMissing("bwrap"))("a program", () => {
  it.each<[string, string, RegExp]>([
    ["loops for ever", "while (true);", /did not end within 0\.5 seconds/u],
    ["loops in promises for ever", "for (;;) await null;", /did not end within 0\.5 seconds/u],
    [
      "loops in a call's answer for ever",
      'tools.read({ path: "a.txt" }).then(() => { while (true); }); await new Promise(() => {});',
      /did not end within 0\.5 seconds/u,
    ],
    ["waits for nothing", "await new Promise(() => {});", /a promise that nothing can settle/u],
    [
      "fills its heap",
      "const all = []; for (;;) all.push(new Array(10_000).fill({}));",
      /ran out of memory|time|ended with/u,
    ],
    ["asks for a huge buffer", "new ArrayBuffer(8e9);", /RangeError/u],
    ["prints for ever", 'for (;;) print("x".repeat(1_000));', /printed more than 1048576/u],
    [
      "calls for ever",
      'for (;;) await tools.read({ path: "a.txt" });',
      /made more than 500 calls/u,
    ],
    ["imports a module", 'const m = import("node:fs"); await m;', /Modules can't be imported/u],
    ["requires a module", 'globalThis.require("node:fs");', /TypeError.*require/u],
    ["declares an import", 'import fs from "node:fs";', /no import[\s\S]*Nothing ran/u],
    ["evaluates text", 'eval("1");', /EvalError/u],
    ["reaches for Node", 'clearTimeout.constructor("return process")();', /EvalError/u],
    ["leaves its wrapper", "})(); throw new Error('out'); (async () => {", /Error: out/u],
    [
      "breaks its own world",
      "Promise.prototype.then = () => {}; JSON.parse = null; await tools.$search('x');",
      /failed|did not end/u,
    ],
    [
      "rejects a promise that it does not await",
      'Promise.reject(new Error("lost"));',
      /Error: lost/u,
    ],
    [
      "throws in a timer",
      'setTimeout(() => { throw new Error("late"); }); await new Promise(() => {});',
      /Error: late/u,
    ],
  ])("is ended and named if it %s", async (_, code, message) => {
    const { run } = openPrograms({ "a.txt": "one\n" });
    // Long enough to reach what is meant on a slow machine, where the time limit is not what is meant.
    const result = await run(code, message.source.includes("0\\.5") ? 500 : 60_000);
    expect(result.type).toBe("error");
    expect(textOf(result)).toMatch(message);
  });

  it("leaves nothing running: neither timers nor calls", async () => {
    const { run, session, recorder, root } = openPrograms();
    const result = await run(`
      setTimeout(() => tools.write({ path: "late.txt", content: "x" }), 60_000);
      void tools.bash({ command: "sleep 60; touch late.txt" });
      await tools.$search("x");
      return "over";`);
    expect(textOf(result)).toMatch(/over.*1 call was still running.*Await every call/u);
    const rows = [...recorder.list(session.id)].map(({ name, state }) => [name, state]);
    expect(rows).toContainEqual(["bash", "cancelled"]);
    expect(rows.at(-1)).toEqual(["run_code", "done"]);
    expect(
      await session.call({ name: "glob", arguments: { pattern: "**", path: root } }),
    ).toMatchObject({
      data: { files: [] },
    });
  });

  it("ends with its session", async () => {
    const { run, session } = openPrograms({ "a.txt": "one\n" });
    const running = run('await tools.read({ path: "a.txt" }); for (;;);');
    await new Promise<void>((resolve) => {
      session.on("tool:post", ({ name }) => name === "read" && resolve());
    });
    session.abort();
    expect(await running).toMatchObject({ metadata: { error_code: "cancelled" } });
  });
});
