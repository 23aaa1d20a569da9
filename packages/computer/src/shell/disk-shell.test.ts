import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ToolError } from "@haft/contract";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findProcesses, uniqueSleep, untilThere } from "../test-support/find-processes.ts";
import { type OpenShell, openShell } from "../test-support/open-shell.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { SandboxMode } from "./confine-run.ts";

// Among a project's own programs it would not be seen in a sandbox.
const { PATH } = process.env;
beforeAll(() => {
  process.env.PATH = [dirname(process.execPath), PATH].join(delimiter);
});
afterAll(() => {
  process.env.PATH = PATH;
});

const usual = ["node", "cat", "true", "prog"].map((cmd) => ({ cmd }));

describe("run", () => {
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
      files: {
        "one/.keep": "",
        "two/prog": "#!/bin/sh\necho two",
        "three/prog": "#!/bin/sh\necho three",
      },
    });
    const searchFirst = ["one", "two", "three"];
    expect(await shell.find("prog", searchFirst)).toBe(join(root, "two/prog"));
    expect(text((await shell.run({ argv: ["prog"], searchFirst })).stdout)).toBe("two\n");
    expect(await shell.find("prog")).toBeUndefined();
  });

  it("passes over what can't be run", async () => {
    const { shell, root } = open({
      files: { "bin/prog": "#!/bin/sh\n", "more/prog": "#!/bin/sh\n" },
    });
    chmodSync(join(root, "bin/prog"), 0o644);
    mkdirSync(join(root, "dir/prog"), { recursive: true });
    expect(await shell.find("prog", ["bin", "dir", "more"])).toBe(join(root, "more/prog"));
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
      const { shell } = open({ files: { "bin/prog": "#!/bin/sh\n" }, commands: [{ cmd: name }] });
      await expect(shell.find(name)).rejects.toMatchObject({ code: "invalid-arguments" });
      await expect(shell.run({ argv: [name] })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    },
  );

  it("runs what the grant names and nothing else", async () => {
    const { shell } = open({ commands: [{ cmd: "node", args: ["--version"] }] });
    expect((await shell.run({ argv: ["node", "--version"] })).exitCode).toBe(0);
    for (const argv of [["node", "-p", "1"], ["cat"], ["no-such-program"]] as const) {
      await expect(shell.run({ argv: [...argv] })).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });

  it("runs a program by its path where the grant names it and lets it be read", async () => {
    const base = makeTemporaryDirectory();
    const path = join(base, "script");
    writeFileSync(path, '#!/bin/sh\necho "$0"', { mode: 0o755 });
    symlinkSync("/bin/cat", join(base, "link"));
    const shell = [path, join(base, "link"), join(base, "gone")].map((cmd) => ({ cmd }));
    const fs = { read: ["**", `${base}/**`] };
    const granted = openShell({ requires: { shell, fs } }).shell;
    expect(text((await granted.run({ argv: [path] })).stdout)).toBe(`${path}\n`);
    for (const [name, code] of [
      ["link", "out-of-scope"],
      ["gone", "unavailable"],
    ] as const) {
      const run = granted.run({ argv: [join(base, name)] });
      await expect(run).rejects.toMatchObject({ code });
    }
    const blind = openShell({ requires: { shell, fs: { read: ["**"] } } }).shell;
    await expect(blind.run({ argv: [path] })).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it("says that a program is not installed", async () => {
    const { shell } = open({ commands: [{ cmd: "no-such-program" }] });
    expect(await shell.find("no-such-program")).toBeUndefined();
    await expect(shell.run({ argv: ["no-such-program"] })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("no-such-program"),
    });
  });

  it("starts nothing for a call that was aborted before", async () => {
    const { shell, root } = open({ signal: AbortSignal.abort() });
    const run = shell.run({ argv: ["node", "-e", "require('fs').writeFileSync('made', '')"] });
    await expect(run).rejects.toMatchObject({ code: "cancelled" });
    expect(existsSync(join(root, "made"))).toBe(false);
  });
});

describe.each(["off", "required"] as const)("run, with the sandbox %s", (sandbox) => {
  it("runs a program without a shell and says how it ended", async () => {
    const { shell, root } = open({ sandbox });
    const script = "console.log(process.argv[1]); console.error(process.cwd()); process.exit(3)";
    const result = await shell.run({ argv: ["node", "-e", script, "$HOME; `ls` *"] });
    expect({ ...result, stdout: text(result.stdout) }).toEqual({
      exitCode: 3,
      stdout: "$HOME; `ls` *\n",
      stderr: `${root}\n`,
    });
  });

  it("hands over bytes and gets them back as they are", async () => {
    const { shell } = open({ sandbox });
    const input = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
    const { stdout, exitCode } = await shell.run({ argv: ["cat"], input });
    expect(exitCode).toBe(0);
    expect(Buffer.compare(stdout, input)).toBe(0);
  });

  it("starts in the directory it is told, if that lies in the workspace", async () => {
    const { shell, root, outside } = open({ sandbox, files: { "sub/.keep": "" } });
    symlinkSync(outside, join(root, "link"));
    const where = async (cwd: string): Promise<string> =>
      text((await shell.run({ argv: ["node", "-p", "process.cwd()"], cwd })).stdout);
    expect(await where("sub")).toBe(`${root}/sub\n`);
    for (const cwd of ["..", outside, "link", "/"]) {
      await expect(where(cwd)).rejects.toMatchObject({ code: "out-of-scope" });
    }
    await expect(where("none")).rejects.toMatchObject({ code: "not-found" });
  });

  it("says that a program can't be started", async () => {
    const { shell } = open({ sandbox, files: { "bin/cat": "#!/no/such/interpreter\n" } });
    const missing = shell.run({ argv: ["cat"], searchFirst: ["bin"] });
    // In a sandbox a shell starts it, and reports the failure with exit code 127.
    if (sandbox === "required") expect((await missing).exitCode).toBe(127);
    else await expect(missing).rejects.toMatchObject({ code: "unavailable" });
    for (const argument of ["a\0b", "x".repeat(4_000_000)]) {
      const code = expect.stringMatching(/^(?:unavailable|invalid-arguments|too-large)$/u);
      await expect(shell.run({ argv: ["cat", argument] })).rejects.toMatchObject({ code });
    }
  });

  it("keeps secrets and what steers other programs from it", async () => {
    const names = ["MY_API_KEY", "GITHUB_TOKEN", "NODE_OPTIONS", "GIT_DIR", "UNKNOWN", "JAVA_HOME"];
    for (const name of names) process.env[name] = name === "NODE_OPTIONS" ? "" : "value";
    onTestFinished(() => {
      for (const name of names) delete process.env[name];
    });
    const { stdout } = await open({ sandbox }).shell.run({
      argv: ["node", "-p", "JSON.stringify(Object.keys(process.env))"],
    });
    const seen = JSON.parse(text(stdout)) as string[];
    expect(names.filter((name) => seen.includes(name))).toEqual(["JAVA_HOME"]);
    expect(seen).toContain("PATH");
  });

  it.each(["stdout", "stderr"])("ends a program that prints without end on %s", async (stream) => {
    const script = `const print = () => process.${stream}.write("x".repeat(65536), print); print()`;
    const run = open({ sandbox }).shell.run({
      argv: ["node", "-e", script],
      maxOutputBytes: 1_000_000,
    });
    await expect(run).rejects.toMatchObject({ code: "too-large" });
  });

  it("ends a program and its children when the call is aborted, willing or not", async () => {
    const controller = new AbortController();
    const { shell } = open({ sandbox, signal: controller.signal });
    const name = uniqueSleep();
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${name}`;
    const script = `
      const { spawn } = require("node:child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], { detached: true });
      ${stubborn}`;
    const run = shell.run({ argv: ["node", "-e", script] });
    const ended = expect(run).rejects.toMatchObject({ code: "timeout", message: "Time is up." });
    await untilThere(`1000); // ${name}`, 2);
    controller.abort(new ToolError("timeout", "Time is up."));
    await ended;
    expect(findProcesses(name)).toEqual([]);
  });

  it("does not wait for what a program leaves behind", async () => {
    const { shell } = open({ sandbox });
    const sleep = uniqueSleep();
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["${sleep}"], { stdio: "inherit" });
      child.on("spawn", () => {
        console.log("done");
        process.exit(0);
      });`;
    const { stdout, exitCode } = await shell.run({ argv: ["node", "-e", script] });
    expect({ stdout: text(stdout), exitCode }).toEqual({ stdout: "done\n", exitCode: 0 });
    expect(findProcesses(sleep)).toEqual([]);
  });
});

interface Programs {
  readonly files?: Readonly<Record<string, string>>;
  readonly commands?: readonly { cmd: string; args?: readonly string[] }[];
  readonly signal?: AbortSignal;
  readonly sandbox?: SandboxMode;
}

function open({ files = {}, commands = usual, signal, sandbox = "off" }: Programs = {}): OpenShell {
  return openShell({
    sandbox,
    files,
    requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] }, shell: commands },
    ...(signal !== undefined && { signal }),
  });
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
