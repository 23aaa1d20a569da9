import { readFileSync } from "node:fs";
import { createMemoryComputer } from "@haft/computer/memory";
import { type CommandResult, type Runtime, ToolError } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { openCommands } from "../test-support/open-commands.ts";
import { openSession } from "../test-support/open-session.ts";
import { createScriptedShell } from "../test-support/scripted-shell.ts";
import { bash } from "./bash.ts";
import type { BashArguments } from "./bash-arguments.ts";

const [, makeDisk] = computers[1] as (typeof computers)[1];

const run = async (command: string, runtime?: Runtime, more = {}) =>
  bash.execute({ command, ...more }, runtime ?? (await openCommands(bash)));

describe("bash", () => {
  it("gives what a command printed and its exit code", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({
      output: expect.stringMatching(/^(?:out\nerr|err\nout)\n$/u),
      exit_code: 3,
    });
  });

  it("starts in the workspace, or where it is told", async () => {
    const runtime = await openCommands(bash, { files: { "src/a.ts": "" } });
    expect(await run("pwd", runtime)).toMatchObject({ output: `${runtime.root}\n` });
    expect(await run("pwd", runtime, { cwd: "src" })).toMatchObject({
      output: `${runtime.root}/src\n`,
    });
  });

  it("starts every command afresh", async () => {
    const runtime = await openCommands(bash, { files: { "src/a.ts": "" } });
    await run("cd src; export A=1", runtime);
    expect(await run('echo "$A" $(pwd)', runtime)).toMatchObject({ output: ` ${runtime.root}\n` });
  });

  it("gives a command nothing to read", async () => {
    expect(await run("cat; read -r line || echo end")).toEqual({ output: "end\n", exit_code: 0 });
  });

  it("changes files", async () => {
    const runtime = await openCommands(bash);
    await run("mkdir -p a && echo x > a/b", runtime);
    expect(readFileSync(`${runtime.root}/a/b`, "utf8")).toBe("x\n");
  });

  it("names the signal that ended a command", async () => {
    expect(await run("kill -9 $$")).toEqual({ output: "", exit_code: null, signal: "SIGKILL" });
  });

  it("shows plain text", async () => {
    const command = "printf '\\033[31mred\\033[0m 1%%\\r 99%%\\r100%%\\n\\0'";
    expect(await run(command)).toMatchObject({ output: "100%\n␀" });
  });

  it("shows the head and the tail of long output, and how much is between", async () => {
    const runtime = await openCommands(bash);
    const command = "echo first; yes 0123456 | head -n 100000; echo last";
    const { output, exit_code } = await run(command, runtime);
    expect(exit_code).toBe(0);
    expect(utf8Length(output)).toBeLessThanOrEqual(200 * 1024);
    expect(output).toMatch(/^first\n0123456\n/u);
    expect(output).toMatch(/0123456\nlast\n$/u);
    const gap =
      /\n\[… (?<count>[\d,]+) bytes left out here; the whole is at the path in output_path …\]\n/u;
    const count = Number(gap.exec(output)?.groups?.count?.replaceAll(",", ""));
    expect(utf8Length(output.replace(gap, "")) + count).toBe(800_011);
    expect(runtime.spilled()).toBe(`first\n${"0123456\n".repeat(100_000)}last\n`);
  });

  it("keeps to its limit when what was printed is no text", async () => {
    const { output } = await run("head -c 400000 /dev/zero | tr '\\0' '\\377'");
    expect(utf8Length(output)).toBeLessThanOrEqual(200 * 1024);
    expect(output).toMatch(/^\ufffd+\n\[… [\d,]+ bytes left out here;.*\]\n\ufffd+$/u);
  });

  it("keeps only the end where the dialect says so", async () => {
    const runtime = await openCommands(bash, { settings: { tail_characters: 10 } });
    expect(await run("printf '😀%.0s' {1..20}; echo; printf 123", runtime)).toMatchObject({
      output: "😀😀😀😀😀😀\n123",
    });
  });

  it("keeps as much of head and tail as the dialect says", async () => {
    const runtime = await openCommands(bash, { settings: { head_bytes: 10, tail_bytes: 20 } });
    const { output } = await run("seq 100 200", runtime);
    expect(output).toMatch(/^100\n101\n10\n\[… 374 bytes left out here; .* …\]\n196\n/u);
    expect(output.endsWith("\n199\n200\n")).toBe(true);
    expect((await run("seq 100 105", runtime)).output).toBe("100\n101\n102\n103\n104\n105\n");
  });

  it("reports output as it comes", async () => {
    const messages: (string | undefined)[] = [];
    const runtime = await openCommands(bash, {
      progress: (progress) => messages.push(progress?.message),
    });
    await run("printf 'one\\n\\033[1mtwo\\033[0m\\n\\n'", runtime);
    expect(messages.filter((message) => message !== undefined).at(-1)).toBe("two");
  });

  it("ends a command that takes too long, with what it had printed", async () => {
    const call = run("printf '\\033[1mhello\\033[0m'; sleep 60", undefined, { timeout_ms: 3_000 });
    await expect(call).rejects.toMatchObject({ code: "timeout", partial: "hello" });
  });

  it("ends when it is aborted", async () => {
    const controller = new AbortController();
    const progress = () => controller.abort();
    const runtime = await openCommands(bash, { signal: controller.signal, progress });
    await expect(run("echo started; sleep 60", runtime)).rejects.toMatchObject({
      code: "cancelled",
      partial: "started\n",
    });
  });

  it("ends what a command leaves in the background, and names it", async () => {
    const data = await run("sleep 12345 & echo started");
    expect(data).toMatchObject({ output: "started\n", exit_code: 0 });
    expect(data.left_running).toEqual([
      { pid: expect.any(Number), command: expect.stringContaining("sleep 12345"), ports: [] },
    ]);
  });

  it("ends a command that waits for a person", async () => {
    const data = await run("printf 'Really? [y/N] '; exec sleep 12345");
    expect(data).toMatchObject({
      output: "Really? [y/N] ",
      exit_code: null,
      waited_for_input: expect.stringContaining("Really? [y/N]"),
      advice: expect.stringContaining("--yes"),
    });
  });

  it("keeps the whole in a file that read opens", async () => {
    const { call, run: tell } = openSession(makeDisk());
    const result = await call("bash", { command: "seq 100000" });
    const path = result.metadata.output_path ?? "";
    expect(result).toMatchObject({
      type: "output",
      data: { output: expect.stringContaining("bytes left out here"), exit_code: 0 },
      metadata: { truncated: true, output_path: expect.any(String) },
    });
    expect(await tell("read", { path, offset: 50_000, limit: 1 })).toMatchObject({
      content: expect.stringContaining("50000"),
    });
  });

  it("is understood under its other names", async () => {
    const { run: tell } = openSession(makeDisk({ "a/b": "" }));
    for (const name of ["Bash", "run_terminal_command"]) {
      const data = await tell(name, { cmd: "cd a && ls &" });
      expect(data).toEqual({ output: "b\n", exit_code: 0 });
    }
    expect(await tell("run_terminal_command", { command: "ls" })).toMatchObject({ output: "a\n" });
  });

  it("runs in the sandbox, where there is one", async () => {
    const runtime = await openCommands(bash, { sandbox: "auto", files: { "a/b": "x\n" } });
    expect(await run("cat b > ../c && pwd", runtime, { cwd: "a" })).toMatchObject({
      output: `${runtime.root}/a\n`,
      exit_code: 0,
    });
    expect(readFileSync(`${runtime.root}/c`, "utf8")).toBe("x\n");
  });

  const odd = (result: Partial<Omit<CommandResult, "output">>, command = "x") =>
    run(command, createTestRuntime({ shell: createScriptedShell(result) }));

  it("tells what a command waited for, and how to do without", async () => {
    const result = { exitCode: undefined, signal: "SIGKILL", waitedAt: "Proceed? [y/N] " };
    expect(await odd(result)).toEqual({
      output: "",
      exit_code: null,
      signal: "SIGKILL",
      waited_for_input: "Proceed? [y/N] ",
      advice: expect.stringContaining("--yes"),
    });
  });

  it("names what a command left running, and the tool for that", async () => {
    const leftRunning = [{ pid: 7, command: "node server.js", ports: [3000] }];
    expect(await odd({ leftRunning })).toEqual({
      output: "",
      exit_code: 0,
      left_running: leftRunning,
      advice: expect.stringContaining("job_start"),
    });
  });

  it("does not let what was left running fill the result", async () => {
    const many = Array.from({ length: 600 }, (_, pid) => ({
      pid,
      command: "x".repeat(100_000),
      ports: [],
    }));
    const { left_running = [] } = await odd({ leftRunning: many });
    expect(left_running).toHaveLength(50);
    expect(left_running[0]?.command).toBe(`${"x".repeat(499)}…`);
  });

  it("names the hosts that a command may not reach, and who can allow them", async () => {
    expect(await odd({ refusedHosts: ["a.io", "b.io"], notes: ["Noted."] })).toEqual({
      output: "",
      exit_code: 0,
      refused_hosts: ["a.io", "b.io"],
      notes: ["Noted."],
      advice: expect.stringContaining("--allow-host a.io --allow-host b.io"),
    });
  });

  it("passes other errors on", async () => {
    const shell = createScriptedShell({});
    const refusal = new ToolError("unavailable", "No bubblewrap.");
    const execute = () => Promise.reject(refusal);
    const runtime = createTestRuntime({ shell: { ...shell, execute } });
    await expect(run("x", runtime)).rejects.toBe(refusal);
  });

  it("expands the home directory", () => {
    const prepare = (args: BashArguments, home: string | undefined) =>
      bash.prepare?.(args, { roots: ["/w"], home });
    expect(prepare({ command: "x", cwd: "~" }, "/home/me")).toMatchObject({ cwd: "/home/me" });
    expect(prepare({ command: "x", cwd: "~/a" }, "/home/me")).toMatchObject({
      cwd: "/home/me/a",
    });
    expect(prepare({ command: "x", cwd: "~/a" }, "/")).toMatchObject({ cwd: "/a" });
    expect(prepare({ command: "x", cwd: "~" }, "/")).toMatchObject({ cwd: "/" });
    for (const cwd of ["~me/a", "a/~", "/a"]) {
      expect(prepare({ command: "x", cwd }, "/home/me")).toMatchObject({ cwd });
    }
    expect(prepare({ command: "x", cwd: "~" }, undefined)).toMatchObject({ cwd: "~" });
    expect(prepare({ command: "x" }, "/home/me")).toEqual({ command: "x" });
  });

  it("names the command and its directory as what it touches", () => {
    const keys = (args: BashArguments) => bash.execution?.resourceKeys?.(args);
    expect(keys({ command: "ls" })).toEqual([{ type: "command", key: "ls", mode: "write" }]);
    expect(keys({ command: "ls", cwd: "a" })).toEqual([
      { type: "command", key: "ls", mode: "write", cwd: "a" },
    ]);
  });

  describeToolContract(bash, [
    {
      name: "a command",
      arguments: { command: "echo hello" },
      runtime: () => openCommands(bash),
      expect: { data: { output: "hello\n", exit_code: 0 } },
    },
    {
      name: "a command that fails",
      arguments: { command: "false", cwd: ".", timeout_ms: 60_000 },
      runtime: () => openCommands(bash),
      expect: { data: { exit_code: 1 } },
    },
    {
      name: "where nothing can be run",
      arguments: { command: "true" },
      runtime: () => {
        const computer = createMemoryComputer();
        return openRuntime(computer, bash, { shell: computer.openShell({} as never) });
      },
      expect: { error: "unavailable" },
    },
    { name: "no command", arguments: { command: "" }, expect: { error: "invalid-arguments" } },
  ]);
});
