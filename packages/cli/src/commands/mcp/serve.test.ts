import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { startHaft } from "./test-support/start-haft.ts";

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

describe("haft mcp", () => {
  it("serves over standard input and output, which carries nothing else", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\n" });
    const { ask, send, lines, child, ended } = startHaft(workspace, ["mcp"]);
    expect((await ask("initialize", hello)).result).toMatchObject({
      serverInfo: { name: "haft" },
      capabilities: { tools: { listChanged: true } },
      instructions: expect.stringContaining(workspace.directory),
    });
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const names = (await ask("tools/list")).result.tools.map(({ name }) => name);
    expect(names).toContain("bash");
    // There is no model and no search provider. Questions wait in the inbox.
    expect(names).toContain("question");
    const unusable = ["task", "task_output", "task_stop", "web_search"];
    expect(names.filter((name) => unusable.includes(name))).toEqual([]);
    const read = await ask("tools/call", { name: "read", arguments: { path: "a.txt" } });
    expect(read.result.content[0]?.text).toContain("1: one");
    const write = { name: "write", arguments: { path: "b.txt", content: "x" } };
    const waits = await ask("tools/call", { ...write, _meta: { "haft/maxWaitMs": 0 } });
    expect(waits.result.content[0]?.text).toMatch(/haft inbox answer [0-9a-f]{32} once$/u);
    send("{ broken");
    expect((await ask("ping")).result).toEqual({});
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => "2.0"));
    expect(lines.map((line) => JSON.parse(line).error?.code)).toContain(-32700);
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it("lists tools that need a model, a provider or a person where these are", async () => {
    const variables = { HAFT_MODEL: "openai/x", BRAVE_API_KEY: "key" };
    const { ask } = startHaft(createTestWorkspace(), ["mcp"], variables);
    await ask("initialize", { ...hello, capabilities: { elicitation: {} } });
    const { tools } = (await ask("tools/list")).result;
    const needy = ["task", "task_output", "task_stop", "web_search", "question", "oracle"];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(needy));
  });

  it("approves with --yes, but nothing that is denied; and shows chosen tools only", async () => {
    const workspace = createTestWorkspace();
    const args = ["mcp", "--yes", "--rule", "write no.txt deny", "--tools", "read,write"];
    const { ask } = startHaft(workspace, args);
    const elicitation = { ...hello, capabilities: { elicitation: {} } };
    await ask("initialize", elicitation);
    const { tools } = (await ask("tools/list")).result;
    expect(tools.map(({ name }) => name)).toEqual(["read", "write"]);
    const write = (path: string) =>
      ask("tools/call", { name: "write", arguments: { path, content: "x" } });
    expect((await write("yes.txt")).result.isError).toBeUndefined();
    expect(readFileSync(join(workspace.directory, "yes.txt"), "utf8")).toBe("x\n");
    expect((await write("no.txt")).result).toMatchObject({ _meta: { error_code: "denied" } });
    const bash = await ask("tools/call", { name: "bash", arguments: { command: "true" } });
    expect(bash.error ?? bash.result).toMatchObject({ code: -32602 });
  });

  it.skipIf(isMissing("bwrap"))(
    "shows few tools with --code, and programs call the others",
    async () => {
      const workspace = createTestWorkspace({ "a.txt": "one\n" });
      const { ask } = startHaft(workspace, ["mcp", "--code"]);
      await ask("initialize", hello);
      const { tools } = (await ask("tools/list")).result;
      expect(tools.map(({ name }) => name)).toEqual([
        "read",
        "edit",
        "undo_edit",
        "bash",
        "tool_search",
        "run_code",
        "get_tool_call_status",
      ]);
      const code = 'return (await tools.glob({ pattern: "*.txt" })).files.length';
      const ran = await ask("tools/call", { name: "run_code", arguments: { code } });
      expect(ran.result).toMatchObject({ content: [{ text: "result: 1" }] });
    },
  );

  it.skipIf(isMissing("bwrap"))(
    "shows exec and wait with --code in the codex dialect, and a program goes on between them",
    async () => {
      const workspace = createTestWorkspace({ "a.txt": "one\n" });
      const { ask } = startHaft(workspace, ["mcp", "--code", "--dialect", "codex"]);
      await ask("initialize", hello);
      const { tools } = (await ask("tools/list")).result;
      expect(tools.map(({ name }) => name)).toEqual([
        ...["view_image", "apply_patch", "undo_edit", "shell_command", "tool_search"],
        ...["exec", "wait", "get_tool_call_status"],
      ]);
      const use = async (name: string, args: object) =>
        (await ask("tools/call", { name, arguments: args })).result.content[0]?.text;
      const input =
        'yield_control(); text((await tools.exec_command({ cmd: "cat a.txt" })).output)';
      expect(await use("exec", { input })).toMatch(/^Script running with cell ID 1\n/u);
      expect(await use("wait", { cell_id: "1" })).toMatch(/^Script completed\n[\s\S]*\none\n$/u);
    },
  );

  it("lets a command go on at its time limit, and says once in a result that it has ended", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\n", signal: "wait\n" });
    const { ask } = startHaft(workspace, ["mcp", "--yes"]);
    await ask("initialize", hello);
    const use = async (name: string, args: object) =>
      (await ask("tools/call", { name, arguments: args })).result;
    const command = "until grep -q go signal; do sleep 0.02; done";
    const { content: waited } = await use("bash", { command, timeout_ms: 50 });
    expect(waited[0]?.text).toMatch(/^exit_code: null\njob_id: \S+/mu);
    writeFileSync(join(workspace.directory, "signal"), "go\n");
    const found: string[] = [];
    const read = async (): Promise<number> => {
      const { content } = await use("read", { path: "a.txt" });
      return found.push(...(content[0]?.text.match(/\[Notice: .*/gu) ?? []));
    };
    await expect.poll(read).toBe(1);
    expect(await read()).toBe(1);
    expect(found[0]).toContain("has ended with exit code 0");
  });

  it.each([
    ["a session of its own", [], ["two.txt"]],
    ["the session that --session names", ["--session", "ours"], []],
  ])("gives each client %s", async (_, args, left) => {
    const workspace = createTestWorkspace();
    const [one, two] = ["one", "two"].map((name) => ({
      name,
      ...startHaft(workspace, ["mcp", "--yes", ...args]),
    }));
    const use = async (client: typeof one, name: string, given: object): Promise<void> => {
      await client?.ask("tools/call", { name, arguments: given });
    };
    for (const client of [one, two]) {
      await client?.ask("initialize", {
        ...hello,
        clientInfo: { name: client.name, version: "1" },
      });
      await use(client, "write", { path: `${client?.name}.txt`, content: "x" });
    }
    await use(one, "undo_edit", {});
    await use(one, "undo_edit", {});
    expect(readdirSync(workspace.directory)).toEqual(left);
    for (const client of [one, two]) {
      client?.child.stdin?.end();
      await client?.ended;
    }
    const { stdout } = await workspace.haft(["sessions"]);
    const names = args.length > 0 ? [/^ours /mu] : [/^one-\d{8}-\d{6}-\w{4} /mu, /^two-/mu];
    for (const name of names) expect(stdout).toMatch(name);
    const { stderr } = await workspace.haft(["undo"]);
    expect(stderr).toContain(args.length > 0 ? "--session ours" : "--session two-");
  });

  it("ends what it runs when the client closes its end or dies", async () => {
    const end = async (how: "closes" | "dies"): Promise<void> => {
      const workspace = createTestWorkspace();
      const { ask, child, ended, lines } = startHaft(workspace, ["mcp", "--yes"]);
      await ask("initialize", hello);
      const marker = `beat-${randomUUID()}`;
      const command = `: ${marker}; while :; do echo beat; sleep 0.05; done`;
      const isRunning = (): boolean => spawnSync("pgrep", ["-f", marker]).status === 0;
      const call = { name: "bash", arguments: { command }, _meta: { progressToken: 1 } };
      const answer = ask("tools/call", call);
      await expect.poll(() => lines.join("\n")).toContain('"message":"beat');
      expect(isRunning()).toBe(true);
      if (how === "closes") child.stdin?.end();
      else child.stdout?.destroy();
      expect(await ended).toBe(0);
      await expect(answer).rejects.toThrow("before it answered");
      await expect.poll(isRunning).toBe(false);
    };
    await Promise.all([end("closes"), end("dies")]);
  });

  it("serves over HTTP with a token, says where, and stops when told to", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const stop = new AbortController();
    const { promise: greeting, resolve: greeted } = Promise.withResolvers<string>();
    const serving = haft(["mcp", "--http", "--port", "0"], {
      signal: stop.signal,
      onOutput: greeted,
    });
    const [, url, token] = /(http:\S+\/mcp).*Bearer (\S+)/su.exec(await greeting) ?? [];
    const initialize = (authorization: string) =>
      fetch(url as string, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
      });
    expect((await initialize("")).status).toBe(401);
    const answer = await initialize(`Bearer ${token}`);
    expect(await answer.text()).toContain('"name":"haft"');
    stop.abort();
    expect((await serving).exitCode).toBe(0);
    await expect(initialize("")).rejects.toThrow();
  });

  it.each([[["--http", "--port", "x"]], [["--port", "7000"]]])("refuses %j", async (args) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["mcp", ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("port");
  });
});
