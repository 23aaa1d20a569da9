import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type CommandResult, ToolError } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { findProcesses, uniqueSleep, untilThere } from "../test-support/find-processes.ts";
import { openShell } from "../test-support/open-shell.ts";

describe.each(["off", "required"] as const)("execute, with the sandbox %s", (sandbox) => {
  it("runs a command line and says how it ended, whatever that is", async () => {
    const { shell, root, confined } = openShell({ sandbox });
    // Not known to read only: which program it runs is not written there.
    const command = `pwd; echo error >&2; cat; "$BASH" -c 'exit 3'`;
    const result = await shell.execute({ command });
    const text = `${root}\nerror\n`;
    expect(result).toEqual<CommandResult>({
      exitCode: 3,
      output: { head: text, tail: "", omittedBytes: 0, totalBytes: text.length },
      leftRunning: [],
      refusedHosts: [],
      notes: [],
      ...(sandbox === "required" && { changes: [] }),
    });
    expect(confined).toEqual([sandbox === "off" ? "none" : "sandbox"]);
    expect((await shell.execute({ command: "no-such-program" })).exitCode).toBe(127);
    expect((await shell.execute({ command: "echo $((1 +" })).exitCode).not.toBe(0);
    expect((await shell.execute({ command: "-n" })).exitCode).toBe(127);
  });

  it("writes into the workspace, and starts where it is told", async () => {
    const { shell, root, outside } = openShell({ sandbox, files: { "sub/.keep": "" } });
    symlinkSync(outside, join(root, "link"));
    await shell.execute({ command: "echo hello >made", cwd: "sub" });
    expect(readFileSync(join(root, "sub/made"), "utf8")).toBe("hello\n");
    for (const cwd of ["..", outside, "link", "/"]) {
      const run = shell.execute({ command: "true", cwd });
      await expect(run).rejects.toMatchObject({ code: "out-of-scope" });
    }
    const run = shell.execute({ command: "true", cwd: "sub/.keep" });
    await expect(run).rejects.toMatchObject({ code: "failed" });
  });

  it("names and ends what is still running when the shell ends, and does not wait for it", async () => {
    const { shell } = openShell({ sandbox });
    const sleep = uniqueSleep();
    const command = `setsid sleep ${sleep} & until grep -qa ^sleep /proc/$!/cmdline; do :; done; echo done`;
    const { leftRunning, output } = await shell.execute({ command });
    expect(output.head).toBe("done\n");
    expect(leftRunning.map((left) => left.command)).toEqual([`sleep ${sleep}`]);
    expect(findProcesses(sleep)).toEqual([]);
  });

  it("ends a command after its time, with what it had printed and what was running", async () => {
    const { shell } = openShell({ sandbox });
    const sleep = uniqueSleep();
    const command = `trap '' TERM; echo begun; setsid sleep ${sleep} & sleep ${sleep}; echo over`;
    await expect(shell.execute({ command, timeoutMs: 3_000 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringMatching(
        new RegExp(`after 3 seconds.*sleep ${sleep} \\(pid \\d+\\)`, "u"),
      ),
      partial: "begun\n",
    });
    expect(findProcesses(sleep)).toEqual([]);
  });

  it("ends a command with its call, for the call's own reason", async () => {
    for (const [reason, code] of [
      [undefined, "cancelled"],
      [new ToolError("quota", "Enough."), "quota"],
    ] as const) {
      const controller = new AbortController();
      const { shell } = openShell({ sandbox, signal: controller.signal });
      const sleep = uniqueSleep();
      const run = shell.execute({ command: `echo begun; sleep ${sleep} & wait` });
      const ended = expect(run).rejects.toMatchObject({ code, partial: "begun\n" });
      await untilThere(`sleep\0${sleep}`);
      controller.abort(reason);
      await ended;
      expect(findProcesses(sleep)).toEqual([]);
    }
  });

  it("passes secrets by name only, and never shows them", async () => {
    const variables = { MY_TOKEN: "t0ken-t0ken-t0ken", MY_SECRET: "s3cret-s3cret" };
    setVariables(variables);
    const { shell, computer } = openShell({ sandbox, passVariables: ["MY_TOKEN", "NOT_SET"] });
    const { output } = await shell.execute({
      command: 'echo -n "$MY_TOKEN" | wc -c; echo "<$MY_SECRET>"',
    });
    expect(output.head).toBe("17\n<>\n");
    expect(computer.secrets).toMatchObject(variables);
  });

  it("has no way to ask: no terminal, no input, no pager and no editor", async () => {
    const { shell } = openShell({ sandbox });
    const command = [
      "read line && echo read; tty; (: </dev/tty) 2>/dev/null || echo no terminal",
      "echo $TERM $PAGER $GIT_PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT",
    ].join("\n");
    const { output } = await shell.execute({ command });
    expect(output.head).toBe("not a tty\nno terminal\ndumb cat cat true 0\n");
  });
});

describe("execute", () => {
  it("runs what the grant names and nothing else", async () => {
    const { shell, computer } = openShell({
      requires: { fs: { read: ["{workspace}/**"] }, shell: [{ cmd: "echo" }] },
    });
    await computer.prepareShell();
    expect((await shell.execute({ command: "echo one" })).output.head).toBe("one\n");
    for (const command of [
      "ls",
      "echo one; ls",
      "echo $(ls)",
      "$(echo ls)",
      "echo one | sh",
      "(",
    ]) {
      await expect(shell.execute({ command })).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });

  it("starts nothing for a call that was aborted before", async () => {
    const { shell, root } = openShell({ signal: AbortSignal.abort() });
    const run = shell.execute({ command: "echo >made" });
    await expect(run).rejects.toMatchObject({ code: "cancelled" });
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  it("does not let one command disturb another", async () => {
    const { shell } = openShell();
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) =>
        shell.execute({ command: `for i in {1..200}; do echo ${number}; done; exit ${number}` }),
      ),
    );
    for (const [number, { exitCode, output }] of results.entries()) {
      expect([exitCode, output.head]).toEqual([number, `${number}\n`.repeat(200)]);
    }
  });

  it("keeps the start and the end of an output, and all of it in a file", async () => {
    const { shell, sidecar } = openShell();
    const heard: string[] = [];
    const command = "for i in {1..5000}; do echo line $i; done";
    const { output } = await shell.execute({
      command,
      keep: { head: 14, tail: 10 },
      onOutput: (text) => void heard.push(text),
    });
    const whole = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join("");
    expect(output).toEqual({
      head: "line 1\nline 2\n",
      tail: "line 5000\n",
      omittedBytes: whole.length - 24,
      totalBytes: whole.length,
    });
    expect(sidecar()?.toString("utf8")).toBe(whole);
    expect(heard.join("")).toBe(whole);
  });

  it("hides secrets in what it shows and in what it keeps", async () => {
    const value = "hunter2-hunter2-hunter2";
    const { shell, sidecar } = openShell({ secrets: { MY_TOKEN: value } });
    const heard: string[] = [];
    const { output } = await shell.execute({
      command: `printf '${value.slice(0, 9)}'; sleep 0.1; echo '${value.slice(9)}'; seq 200`,
      keep: { head: 30, tail: 10 },
      onOutput: (text) => void heard.push(text),
    });
    for (const text of [output.head, heard.join(""), String(sidecar())]) {
      expect(text).toMatch(/^\[/u);
      expect(text).not.toContain("hunter2");
    }
  });

  it("makes no file of an output that fits", async () => {
    const { shell, sidecar } = openShell();
    const { output } = await shell.execute({ command: "echo 12345", keep: { head: 3, tail: 3 } });
    expect([output.head, output.tail, sidecar()]).toEqual(["12345\n", "", undefined]);
  });

  it("ends at its time what prints without end, and keeps the end of it", async () => {
    const { shell, sidecar } = openShell();
    const run = shell.execute({ command: "yes 0123456789", timeoutMs: 1_500 });
    const error = await run.catch((thrown: ToolError) => thrown);
    expect(error).toMatchObject({ code: "timeout" });
    const partial = (error as ToolError).partial ?? "";
    expect(partial).toMatch(/^(?:0123456789\n){9}[\s\S]*\[… \d+ bytes omitted …\]/u);
    expect(partial.length).toBeLessThan(210 * 1024);
    expect(sidecar()?.length).toBeGreaterThan(200 * 1024);
  });

  it("ends a command that waits for a person, and says at which question", async () => {
    const { shell } = openShell();
    const command = "echo 'This removes all.'; printf 'Continue? [y/N] '; sleep 60 & wait";
    const result = await shell.execute({ command });
    expect(result).toMatchObject({ waitedAt: "Continue? [y/N]", exitCode: undefined });
    expect(result.output.head).toBe("This removes all.\nContinue? [y/N] ");
    expect(result.leftRunning.map((left) => left.command)).toContain("sleep 60");
  });
});

function setVariables(variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
