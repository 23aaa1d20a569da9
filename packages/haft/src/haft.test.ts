import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { builtinTools, createMemoryComputer, defineTool, openSession, ToolError } from "./index.ts";

function makeWorkspace(): string {
  const workspace = mkdtempSync(join(tmpdir(), "haft-package-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  writeFileSync(join(workspace, "a.txt"), "one\n");
  return workspace;
}

describe("openSession", () => {
  it("works on the files of a workspace under rules given as text", async () => {
    const workspace = makeWorkspace();
    const rules = ["edit **/*.txt allow"];
    const session = openSession({ workspace, rules, stateDirectory: join(workspace, ".state") });
    onTestFinished(() => session.close());
    const change = { path: "a.txt", old_string: "one", new_string: "two" };
    expect(await session.call({ name: "edit", arguments: change })).toMatchObject({
      type: "output",
    });
    expect(await session.call({ name: "read", arguments: { path: "a.txt" } })).toMatchObject({
      data: { content: "1: two" },
    });
    expect(await session.call({ name: "delete_file", arguments: { path: "a.txt" } })).toMatchObject(
      { type: "error", metadata: { error_code: "headless" } },
    );
  });

  it("has the built-in tools, or those that it is given", async () => {
    const computer = createMemoryComputer({ files: {} });
    const names = (tools: ReturnType<ReturnType<typeof openSession>["tools"]>): string[] =>
      tools.map(({ name }) => name);
    expect(names(openSession({ computer }).tools("all")).length).toBe(builtinTools.length);
    const fail = defineTool({
      id: "fail",
      kind: "read",
      description: "Fails.",
      parameters: { type: "object", properties: {} },
      requires: {},
      execute: () => {
        throw new ToolError("not-found", "There is nothing.");
      },
    });
    const session = openSession({ computer, tools: [fail], rules: ["fail * allow"] });
    expect(names(session.tools("all"))).toEqual(["fail"]);
    expect(await session.call({ name: "fail", arguments: {} })).toMatchObject({
      error_text: "There is nothing.",
    });
  });

  it("runs no program under a ceiling without shell, and leaves the other tools alone", async () => {
    const session = openSession({
      computer: createMemoryComputer({ files: { "a.ts": "let a;\n" } }),
      rules: ["* * allow"],
      ceiling: { fs: { read: ["**"], write: ["**"] }, net: { hosts: ["*"] } },
    });
    const calls = {
      check: {},
      format_file: { path: "a.ts" },
      repo_clone: { url: "https://example.com/a.git" },
      bash: { command: "ls", description: "List files" },
      job_start: { command: "ls" },
    };
    for (const [name, args] of Object.entries(calls)) {
      expect(await session.call({ name, arguments: args })).toMatchObject({
        metadata: { error_code: "out-of-scope" },
      });
    }
    expect(
      builtinTools
        .filter(({ requires }) => requires.shell)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.keys(calls).sort());
    expect(await session.call({ name: "read", arguments: { path: "a.ts" } })).toMatchObject({
      type: "output",
    });
  });

  it("passes commands the variables that are named", async () => {
    for (const name of ["PASSED_ONE", "KEPT_ONE"]) vi.stubEnv(name, "a value");
    onTestFinished(() => void vi.unstubAllEnvs());
    const workspace = makeWorkspace();
    const session = openSession({
      ...{ workspace, stateDirectory: join(workspace, ".state"), sandbox: "off" },
      ...{ rules: ["bash * allow"], passVariables: ["PASSED_ONE"] },
    });
    onTestFinished(() => session.close());
    const command = "env | grep _ONE";
    expect(await session.call({ name: "bash", arguments: { command } })).toMatchObject({
      data: { output: "PASSED_ONE=a value\n" },
    });
  });

  it("refuses a rule that can't be parsed, by name", () => {
    expect(() => openSession({ workspace: makeWorkspace(), rules: ["nonsense"] })).toThrow(
      /nonsense/u,
    );
  });
});

describe("serveMcp", () => {
  it("serves the tools of a workspace to a client until it disconnects", async () => {
    const workspace = makeWorkspace();
    const hooks = new URL("../../../test/programs/register-sources.mjs", import.meta.url);
    const entry = fileURLToPath(new URL("./index.ts", import.meta.url));
    const script = `const { serveMcp } = await import(${JSON.stringify(entry)});
await serveMcp({ workspace: ${JSON.stringify(workspace)}, version: "7" });`;
    const args = ["--import", hooks.href, "--no-warnings", "--input-type=module", "-e", script];
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, HAFT_HOME: join(workspace, "state") },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error("The server ended.");
        const message = JSON.parse(value);
        if (message.id === id) return message.result;
      }
    };
    const started = await ask(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    expect(started).toMatchObject({ serverInfo: { version: "7" } });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
    );
    const read = await ask(2, "tools/call", { name: "read", arguments: { path: "a.txt" } });
    expect(JSON.stringify(read)).toContain("1: one");
    child.stdin.end();
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
  });
});
