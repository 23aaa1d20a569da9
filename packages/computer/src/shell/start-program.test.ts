import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  findProcesses,
  uniqueSleep,
  untilGone,
  untilThere,
} from "../test-support/find-processes.ts";
import { startWebServer } from "../test-support/local-server.ts";
import { spawnSource } from "../test-support/spawn-source.ts";
import { openProgramBench } from "../test-support/start-program.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { SandboxMode } from "./confine-run.ts";

/** Returns how many bytes of buffers are in use. */
function measureBuffers(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
  return process.memoryUsage().arrayBuffers;
}

const node = process.execPath;
const modes: SandboxMode[] = isMissing("bwrap") ? ["off"] : ["off", "required"];

describe.skipIf(isMissing("bwrap"))("a started program in a sandbox", () => {
  it("may use no more than it was given", async () => {
    const { start } = openProgramBench({}, { sandbox: "required" });
    const shell = await start({
      argv: ["bash", "-c", "ulimit -u; ulimit -d"],
      limits: { processes: 17, memoryBytes: 64 * 1024 * 1024 },
    });
    expect(await shell.ended).toMatchObject({ exitCode: 0 });
    expect(shell.text()).toBe("17\n65536\n");
  });

  it("reads a read-only root and can't write there, even if it is told to", async () => {
    const lib = makeTemporaryDirectory();
    writeFileSync(join(lib, "a"), "from lib\n");
    const { start, root } = openProgramBench({}, { sandbox: "required", readOnlyRoots: [lib] });
    const shell = await start({
      argv: ["bash", "-c", `cat ${lib}/a; touch ${lib}/b; touch ${root}/b`],
      writes: [root, lib],
    });
    await shell.ended;
    expect(shell.text()).toBe("from lib\n");
    expect([lib, root].map((place) => existsSync(join(place, "b")))).toEqual([false, true]);
  });
});

describe.each(modes)("a started program, sandbox %s", (sandbox) => {
  it("hears and says things until its input is closed", async () => {
    const { start } = openProgramBench({}, { sandbox });
    const cat = await start({ argv: ["cat"] });
    expect(cat.isolation).toBe(sandbox === "off" ? "none" : "sandbox");
    expect(cat.warning).toBeUndefined();
    await cat.write("one\n");
    await cat.untilSaid("one\n");
    await cat.write(new TextEncoder().encode("zwei ü\n"));
    await cat.untilSaid("zwei ü\n");
    cat.endInput();
    expect(await cat.ended).toEqual({ exitCode: 0, signal: undefined, notes: [] });
    expect(cat.text()).toBe("one\nzwei ü\n");
    await expect(cat.write("more")).rejects.toMatchObject({ code: "unavailable" });
    await cat.stop();
  });

  it("starts with nothing of our environment on a bare computer", async () => {
    const { start } = openProgramBench({}, { sandbox, isBare: true });
    const program = await start({ argv: ["env"], environment: { OWN: "1" } });
    await program.ended;
    expect(program.text()).toMatch(/^OWN=1$/mu);
    expect(program.text()).not.toMatch(/^(?:PAGER|EDITOR)=/mu);
  });

  it("answers line by line, with errors apart", async () => {
    const { start } = openProgramBench(
      {
        "server.mjs": `
          import { createInterface } from "node:readline";
          for await (const line of createInterface({ input: process.stdin })) {
            const { id, word } = JSON.parse(line);
            console.log(JSON.stringify({ id, word: word.toUpperCase() }));
            console.error("heard " + word);
          }`,
      },
      { sandbox },
    );
    const server = await start({ argv: [node, "server.mjs"] });
    for (const [id, word] of ["apple", "pear"].entries()) {
      await server.write(`${JSON.stringify({ id, word })}\n`);
      await server.untilSaid(word.toUpperCase());
    }
    server.endInput();
    expect(await server.ended).toMatchObject({ exitCode: 0 });
    expect(server.text()).toBe('{"id":0,"word":"APPLE"}\n{"id":1,"word":"PEAR"}\n');
    expect(server.errors()).toBe("heard apple\nheard pear\n");
  });

  it("ends with all that it started when it is stopped", async () => {
    const sleep = uniqueSleep();
    const { start } = openProgramBench({}, { sandbox });
    const program = await start({
      argv: ["bash", "-c", `setsid sleep ${sleep} & (sleep ${sleep} &) ; echo up; sleep ${sleep}`],
    });
    await program.untilSaid("up");
    await untilThere(sleep, 3);
    await program.stop();
    expect(findProcesses(sleep)).toEqual([]);
    expect(await program.ended).toMatchObject({ exitCode: undefined, signal: "SIGKILL" });
  });

  it("can be stopped while its output is not read", async () => {
    const { start } = openProgramBench({}, { sandbox });
    const program = await start({
      argv: ["yes"],
      onOutput: () => new Promise<void>(() => {}),
    });
    await program.stop();
    expect(await program.ended).toMatchObject({ notes: [] });
  });

  it("is stopped, and says so, when what it says can't be taken", async () => {
    const { start } = openProgramBench({}, { sandbox });
    const program = await start({
      argv: ["yes"],
      onOutput: () => {
        throw new Error("no room");
      },
    });
    expect((await program.ended).notes).toEqual([expect.stringContaining("no room")]);
  });

  it("knows nothing secret of the environment, but what it is given", async () => {
    vi.stubEnv("MY_API_TOKEN", "s3cret");
    const { start } = openProgramBench({}, { sandbox, passVariables: ["MY_API_TOKEN"] });
    const program = await start({ argv: ["env"], environment: { OWN_TOKEN: "given" } });
    await program.ended;
    vi.unstubAllEnvs();
    expect(program.text()).not.toContain("s3cret");
    expect(program.text()).toContain("OWN_TOKEN=given\n");
  });

  it.each([
    [["no-such-program-9"], "not installed"],
    [["/no/such/program"], "does not exist"],
    [["/etc"], "not an executable file"],
  ])("is refused if there is none: %j", async (argv, reason) => {
    const { start } = openProgramBench({}, { sandbox });
    await expect(start({ argv: argv as [string] })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(reason),
    });
  });
});

describe("a started program", () => {
  it("waits while what it says is not taken, and takes no memory for it", async () => {
    const { start } = openProgramBench({}, { sandbox: "off" });
    const megabyte = 1024 * 1024;
    const total = 100 * megabyte;
    let taken = 0;
    let most = 0;
    const idle = measureBuffers();
    const gate = Promise.withResolvers<void>();
    const program = await start({
      argv: ["bash", "-c", `head -c ${total} /dev/zero; echo done >&2`],
      onOutput: (bytes) => {
        const before = Math.floor(taken / (8 * megabyte));
        taken += bytes.length;
        if (Math.floor(taken / (8 * megabyte)) > before) most = Math.max(most, measureBuffers());
        return gate.promise;
      },
    });
    await wait(200);
    expect(taken).toBeLessThanOrEqual(64 * 1024);
    expect(program.errors()).toBe("");
    gate.resolve();
    expect(await program.ended).toMatchObject({ exitCode: 0 });
    expect([taken, program.errors()]).toEqual([total, "done\n"]);
    expect(most - idle).toBeLessThan(32 * megabyte);
  });

  it("is waited for when it does not read", async () => {
    const { start } = openProgramBench({}, { sandbox: "off" });
    const program = await start({ argv: ["bash", "-c", "read -r line; echo $line; sleep 900"] });
    let isTaken = false;
    const writing = program.write(`go\n${"x".repeat(1_000_000)}`).then(
      () => {
        isTaken = true;
      },
      (error: Error) => error.message,
    );
    await program.untilSaid("go");
    expect(isTaken).toBe(false);
    await program.stop();
    expect(await writing).toContain("ended");
  });

  it("ends when the process that started it is killed", async () => {
    const base = makeTemporaryDirectory();
    const sleep = uniqueSleep();
    const child = await spawnSource("start-and-wait.ts", [base, sleep, "forever"]);
    // The process itself has the name in its arguments too.
    await untilThere(`sleep\0${sleep}`, 2);
    child.kill("SIGKILL");
    await untilGone(sleep);
    expect(findProcesses(sleep)).toEqual([]);
  });

  it("does not keep the process that started it, nor does its way out", async () => {
    const base = makeTemporaryDirectory();
    const sleep = uniqueSleep();
    const child = await spawnSource("start-and-wait.ts", [base, sleep]);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
    await untilGone(sleep);
  });
});

describe.skipIf(isMissing("bwrap"))("a started program in a sandbox", () => {
  const sandbox = "required";

  it("changes the workspace and nothing else, and reads what it is given", async () => {
    const { start, root, outside } = openProgramBench({ ".env": "S3CRET=1" }, { sandbox });
    writeFileSync(join(outside, "shown"), "shown\n");
    const script = `echo in >made; echo out >${outside}/made; cat .env; cat ${outside}/shown`;
    const blind = await start({ argv: ["bash", "-c", script] });
    await blind.ended;
    expect([readFileSync(join(root, "made"), "utf8"), blind.text()]).toEqual(["in\n", ""]);
    const program = await start({ argv: ["bash", "-c", script], reads: [outside], writes: [] });
    await program.ended;
    expect(program.text()).toBe("shown\n");
    expect(existsSync(join(outside, "made"))).toBe(false);
    expect(program.errors()).toMatch(/made: Read-only file system/u);
  });

  it("has the home that it is given", async () => {
    const { start, outside } = openProgramBench({}, { sandbox });
    const home = join(outside, "home");
    mkdirSync(home, { mode: 0o700 });
    const program = await start({
      argv: ["bash", "-c", "echo kept >~/file; touch here || echo $HOME"],
      environment: { HOME: home },
      writes: [home],
    });
    await program.ended;
    expect(program.text()).toBe(`${home}\n`);
    expect(readFileSync(join(home, "file"), "utf8")).toBe("kept\n");
    const other = await start({
      argv: ["bash", "-c", 'echo "$HOME"'],
      environment: { HOME: outside },
    });
    await other.ended;
    expect(other.text()).not.toContain(outside);
  });

  it("may lie anywhere, also behind a link", async () => {
    const { start, outside } = openProgramBench({}, { sandbox });
    const home = join(outside, "node_modules");
    mkdirSync(join(home, ".bin"), { recursive: true });
    mkdirSync(join(home, "tool/dist"), { recursive: true });
    writeFileSync(join(home, "tool/word.mjs"), 'export const word = "found";');
    writeFileSync(
      join(home, "tool/dist/tool.mjs"),
      `#!${node}\nimport { word } from "../word.mjs"; console.log(word);`,
      { mode: 0o755 },
    );
    symlinkSync("../tool/dist/tool.mjs", join(home, ".bin/tool"));
    const path = await start({ argv: [join(home, ".bin/tool")] });
    await path.ended;
    expect([path.text(), path.errors()]).toEqual(["found\n", ""]);
    const named = await start({
      argv: ["tool"],
      environment: { PATH: `${join(home, ".bin")}:${process.env.PATH}` },
    });
    await named.ended;
    expect(named.text()).toBe("found\n");
  });

  it("reaches only the hosts it is given", async () => {
    const { port, origin } = await startWebServer((_, response) => response.end("served"));
    const { start } = openProgramBench({}, { sandbox });
    const script = `
      for (const url of ["${origin}", "http://127.0.0.3:${port}"]) {
        const answer = await fetch(url).catch(() => undefined);
        console.log(answer?.status === 200 ? await answer.text() : "none");
      }`;
    const argv = [node, "--input-type=module", "-e", script] as const;
    const alone = await start({ argv });
    await alone.ended;
    expect(alone.text()).toBe("none\nnone\n");
    const program = await start({ argv, hosts: [`127.0.0.1:${port}`] });
    await program.ended;
    expect(program.text()).toBe("served\nnone\n");
    expect(program.refusedHosts()).toEqual(["127.0.0.3"]);
  });

  it("reaches no private address of a host that it is given for its public ones", async () => {
    const { port, origin, requests } = await startWebServer((_, response) =>
      response.end("served"),
    );
    const { start } = openProgramBench({}, { sandbox });
    const script = `await fetch("${origin}").then(console.log, () => console.log("refused"))`;
    const program = await start({
      argv: [node, "--input-type=module", "-e", script],
      hosts: [`127.0.0.1:${port}`],
      onlyPublic: true,
    });
    await program.ended;
    expect([program.text(), requests]).toEqual(["refused\n", []]);
    expect(program.refusedHosts()).toEqual(["127.0.0.1"]);
  });

  it("leaves no hook of git's behind", async () => {
    const { start, root } = openProgramBench({}, { sandbox });
    const program = await start({
      argv: ["bash", "-c", "git init -q . && echo evil >.git/hooks/pre-commit"],
    });
    expect((await program.ended).notes).toEqual([expect.stringContaining("pre-commit")]);
    expect(existsSync(join(root, ".git/hooks/pre-commit"))).toBe(false);
  });
});
