import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { compileRequirements, type Shell, ToolError } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { openDiskShell } from "./disk-shell.ts";

interface TestShell {
  readonly shell: Shell;
  readonly root: string;
  readonly outside: string;
}

describe("openDiskShell", () => {
  it("runs a program without a shell and says how it ended", async () => {
    const { shell, root } = open();
    const script = "console.log(process.argv[1]); console.error(process.cwd()); process.exit(3)";
    const result = await shell.run({ argv: ["node", "-e", script, "$HOME; `ls` *"] });
    expect({ ...result, stdout: text(result.stdout) }).toEqual({
      exitCode: 3,
      stdout: "$HOME; `ls` *\n",
      stderr: `${root}\n`,
    });
  });

  it("hands over bytes and gets them back as they are", async () => {
    const { shell } = open();
    const input = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
    const { stdout, exitCode } = await shell.run({ argv: ["cat"], input });
    expect(exitCode).toBe(0);
    expect(Buffer.compare(stdout, input)).toBe(0);
  });

  it("closes standard input where nothing is given", async () => {
    const { stdout, exitCode } = await open().shell.run({ argv: ["cat"] });
    expect({ stdout: text(stdout), exitCode }).toEqual({ stdout: "", exitCode: 0 });
  });

  it("does not mind a program that leaves its input unread", async () => {
    const input = new Uint8Array(1_000_000);
    expect((await open().shell.run({ argv: ["true"], input })).exitCode).toBe(0);
  });

  it("prefers a program of the workspace, in the order it is told", async () => {
    const { shell, root } = open({
      "one/.keep": "",
      "two/prog": "#!/bin/sh\necho two",
      "three/prog": "#!/bin/sh\necho three",
    });
    const searchFirst = ["one", "two", "three"];
    expect(await shell.find("prog", searchFirst)).toBe(join(root, "two/prog"));
    expect(text((await shell.run({ argv: ["prog"], searchFirst })).stdout)).toBe("two\n");
    expect(await shell.find("prog")).toBeUndefined();
  });

  it("passes over what can't be run", async () => {
    const { shell, root } = open({ "bin/prog": "#!/bin/sh\n", "more/prog": "#!/bin/sh\n" });
    chmodSync(join(root, "bin/prog"), 0o644);
    mkdirSync(join(root, "dir/prog"), { recursive: true });
    expect(await shell.find("prog", ["bin", "dir", "more"])).toBe(join(root, "more/prog"));
  });

  it("starts in the directory it is told, if that lies in the workspace", async () => {
    const { shell, root, outside } = open({ "sub/.keep": "" });
    symlinkSync(outside, join(root, "link"));
    const where = async (cwd: string): Promise<string> =>
      text((await shell.run({ argv: ["node", "-p", "process.cwd()"], cwd })).stdout);
    expect(await where("sub")).toBe(`${root}/sub\n`);
    for (const cwd of ["..", outside, "link", "/"]) {
      await expect(where(cwd)).rejects.toMatchObject({ code: "out-of-scope" });
    }
    await expect(where("none")).rejects.toMatchObject({ code: "failed" });
  });

  it("looks for programs in no directory outside the workspace but the system's", async () => {
    const { shell, root, outside } = open();
    writeFileSync(join(outside, "prog"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(outside, join(root, "bin"));
    for (const directory of [outside, "bin", "../outside"]) {
      await expect(shell.find("prog", [directory])).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });

  it.each(["./prog", "/bin/cat", "bin/prog", "", "..", "a\0b"])(
    "refuses %j for the name of a program",
    async (name) => {
      const { shell } = open({ "bin/prog": "#!/bin/sh\n" }, [{ cmd: name }]);
      await expect(shell.find(name)).rejects.toMatchObject({ code: "invalid-arguments" });
      await expect(shell.run({ argv: [name] })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    },
  );

  it("runs what the grant names and nothing else", async () => {
    const { shell } = open({}, [{ cmd: "node", args: ["--version"] }]);
    expect((await shell.run({ argv: ["node", "--version"] })).exitCode).toBe(0);
    for (const argv of [["node", "-p", "1"], ["cat"], ["no-such-program"]] as const) {
      await expect(shell.run({ argv: [...argv] })).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });

  it("says that a program is not installed", async () => {
    const { shell } = open({}, [{ cmd: "no-such-program" }]);
    expect(await shell.find("no-such-program")).toBeUndefined();
    await expect(shell.run({ argv: ["no-such-program"] })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no-such-program"),
    });
  });

  it("says that a program can't be started", async () => {
    const { shell } = open({ "bin/cat": "#!/no/such/interpreter\n" });
    for (const program of [
      { argv: ["cat"] as const, searchFirst: ["bin"] },
      { argv: ["cat", "a\0b"] as const },
      { argv: ["cat", "x".repeat(4_000_000)] as const },
    ]) {
      await expect(shell.run(program)).rejects.toMatchObject({ code: "unavailable" });
    }
  });

  it("keeps secrets and what steers other programs from it", async () => {
    const names = ["MY_API_KEY", "GITHUB_TOKEN", "NODE_OPTIONS", "GIT_DIR", "HARMLESS_VALUE"];
    for (const name of names) process.env[name] = name === "NODE_OPTIONS" ? "" : "value";
    onTestFinished(() => {
      for (const name of names) delete process.env[name];
    });
    const { stdout } = await open().shell.run({
      argv: ["node", "-p", "JSON.stringify(Object.keys(process.env))"],
    });
    const seen = JSON.parse(text(stdout)) as string[];
    expect(names.filter((name) => seen.includes(name))).toEqual(["HARMLESS_VALUE"]);
    expect(seen).toContain("PATH");
  });

  it.each(["stdout", "stderr"])("ends a program that prints without end on %s", async (stream) => {
    const script = `const print = () => process.${stream}.write("x".repeat(65536), print); print()`;
    const run = open().shell.run({ argv: ["node", "-e", script], maxOutputBytes: 1_000_000 });
    await expect(run).rejects.toMatchObject({ code: "too-large" });
  });

  it("ends a program and its children when the call is aborted, willing or not", async () => {
    const controller = new AbortController();
    const { shell, root } = open({}, undefined, controller.signal);
    const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}]);
      require("node:fs").writeFileSync("pids", JSON.stringify([process.pid, child.pid]));
      ${stubborn}`;
    const run = shell.run({ argv: ["node", "-e", script] });
    const ended = expect(run).rejects.toMatchObject({ code: "timeout" });
    const pids = await readPids(join(root, "pids"));
    controller.abort(new ToolError("timeout", "Time is up."));
    await ended;
    await untilGone(pids);
  });

  it("does not wait for what a program leaves behind", async () => {
    const { shell, root } = open();
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["1000"], { stdio: "inherit" });
      require("node:fs").writeFileSync("pids", JSON.stringify([child.pid]));
      console.log("done");
      process.exit(0);`;
    const { stdout, exitCode } = await shell.run({ argv: ["node", "-e", script] });
    expect({ stdout: text(stdout), exitCode }).toEqual({ stdout: "done\n", exitCode: 0 });
    await untilGone(await readPids(join(root, "pids")));
  });

  it("starts nothing for a call that was aborted before", async () => {
    const { shell, root } = open({}, undefined, AbortSignal.abort());
    const run = shell.run({ argv: ["node", "-e", "require('fs').writeFileSync('made', '')"] });
    await expect(run).rejects.toMatchObject({ code: "cancelled" });
    expect(existsSync(join(root, "made"))).toBe(false);
  });
});

function open(
  files: Readonly<Record<string, string>> = {},
  commands: readonly { cmd: string; args?: readonly string[] }[] = [
    { cmd: "node" },
    { cmd: "cat" },
    { cmd: "true" },
    { cmd: "prog" },
  ],
  signal: AbortSignal = new AbortController().signal,
): TestShell {
  const base = makeTemporaryDirectory();
  const root = join(base, "workspace");
  const outside = join(base, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode: 0o755 });
  }
  const requires = { fs: { read: ["{workspace}/**"] }, shell: commands };
  const scope = {
    callId: "call-1",
    grant: compileRequirements(requires, { workspace: [root] }),
    journal: { record: () => undefined, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal,
  };
  const resolve = (path: string): string => join(path.startsWith("/") ? "" : root, path);
  return { shell: openDiskShell(scope, { roots: [root], resolve }), root, outside };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function readPids(file: string): Promise<number[]> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as number[];
    } catch {
      await wait(10);
    }
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await wait(10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Somebody ended it and nobody has taken notice yet.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
