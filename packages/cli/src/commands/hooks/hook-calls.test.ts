import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it, vi } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace, type TestWorkspace } from "../../test-support/run-haft.ts";
import { startHaft } from "../mcp/test-support/start-haft.ts";

const denied = errorCodes.denied.exitCode;

/** A workspace, and a directory beside it with a person's hooks. */
interface HookWorkspace extends TestWorkspace {
  readonly home: string;
  /** Writes a hook file with one hook and returns the option that uses it. */
  hook(event: string, script: string, more?: HookChoice): string[];
  /** The inputs that hooks with `record` got. */
  inputs(): Record<string, unknown>[];
  /** A shell script that records its input. */
  readonly record: string;
}

interface HookChoice {
  readonly matcher?: string;
  readonly agent?: "claude" | "codex" | "gemini";
  readonly handler?: Readonly<Record<string, unknown>>;
  readonly program?: "sh" | "python3" | "node";
}

function openWorkspace(
  files: Readonly<Record<string, string>> = { "a.txt": "one\ntwo\n" },
): HookWorkspace {
  const workspace = createTestWorkspace(files);
  const home = join(dirname(workspace.directory), "home");
  mkdirSync(home);
  const inputs = join(home, "inputs.jsonl");
  let made = 0;
  return {
    ...workspace,
    home,
    record: `cat >> ${inputs}; echo >> ${inputs}`,
    inputs: () =>
      existsSync(inputs)
        ? readFileSync(inputs, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
    hook: (event, script, { matcher, agent = "claude", handler, program = "sh" } = {}) => {
      const name = join(home, `hook-${++made}`);
      writeFileSync(name, script);
      const run = program === "node" ? process.execPath : program;
      const hooks = [{ type: "command", command: `${run} ${name}`, ...handler }];
      const group = { ...(matcher !== undefined && { matcher }), hooks };
      writeFileSync(`${name}.json`, JSON.stringify({ hooks: { [event]: [group] } }));
      return ["--hooks", `${agent}:${name}.json`];
    },
  };
}

const read = ["call", "read", "path=a.txt", "--json"];
const write = (path: string): string[] => ["call", "write", `path=${path}`, "content=x", "--yes"];
const print = (output: unknown): string => `cat > /dev/null; echo '${JSON.stringify(output)}'`;
const decide = (own: object): string =>
  print({ hookSpecificOutput: { hookEventName: "PreToolUse", ...own } });

describe("hooks of Claude Code", () => {
  it("get the JSON of their agent, whatever dialect the session has", async () => {
    const place = openWorkspace();
    const options = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart"].flatMap(
      (event) => place.hook(event, `${place.record}; echo $CLAUDE_PROJECT_DIR | tr -d '\\n'`),
    );
    const { haft, directory, inputs } = place;
    const file_path = join(directory, "a.txt");
    await haft([...read, ...options]);
    const edit = { old_string: "two", new_string: "zwei" };
    const calls = [
      ["replace", { file_path, instruction: "", ...edit }, "gemini"],
      ["Bash", { command: "exit 3", description: "fails" }, "claude"],
      ["delete_file", { path: "a.txt" }, "portable"],
    ] as const;
    for (const [name, args, dialect] of calls) {
      const given = ["--dialect", dialect, "--yes", "--sandbox", "off"];
      await haft(["call", name, JSON.stringify(args), ...given, ...options]);
    }
    const common = { session_id: expect.stringMatching(/^[0-9a-f-]{36}$/u), cwd: directory };
    const call = { ...common, transcript_path: "", permission_mode: "default" };
    const tool_input = { file_path };
    const start = (source: string) => expect.objectContaining({ ...common, source });
    const shown = inputs().map(({ tool_use_id, duration_ms, ...rest }) => rest);
    expect(shown.slice(0, 5)).toEqual([
      start("startup"),
      { ...call, hook_event_name: "PreToolUse", tool_name: "Read", tool_input },
      {
        ...call,
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_input,
        tool_response: {
          type: "text",
          file: {
            filePath: file_path,
            content: "one\ntwo",
            numLines: 2,
            startLine: 1,
            totalLines: 2,
          },
        },
      },
      start("resume"),
      {
        ...call,
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { file_path, ...edit, replace_all: false },
      },
    ]);
    expect(shown[5]).toMatchObject({
      tool_response: { filePath: file_path, oldString: "two", newString: "zwei" },
    });
    expect(shown.slice(7, 9)).toMatchObject([
      { tool_name: "Bash", tool_input: { command: "exit 3", description: "fails" } },
      { hook_event_name: "PostToolUseFailure", error: "Exit code 3\n", is_interrupt: false },
    ]);
    expect(shown.slice(10)).toMatchObject([
      { tool_name: "Write", tool_input: { file_path, content: "" } },
      { hook_event_name: "PostToolUse" },
    ]);
  });

  it("refuse with exit code 2, also what their agent has no tool for, and the model learns why", async () => {
    const place = openWorkspace({ ".env": "A=1\n", "a.txt": "one\n" });
    const protect = `
import json, sys
path = json.load(sys.stdin)["tool_input"]["file_path"]
if path.endswith(".env"):
    print(path + " is protected", file=sys.stderr)
    sys.exit(2)
`;
    const options = place.hook("PreToolUse", protect, {
      matcher: "Edit|Write",
      program: "python3",
    });
    const patch = "*** Begin Patch\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch\n";
    const calls = [
      ["write", { path: ".env", content: "" }],
      ["multi_edit", { path: ".env", edits: [{ old_string: "1", new_string: "2" }] }],
      ["apply_patch", { patch }],
      ["delete_file", { path: ".env" }],
      ["move_file", { from: "a.txt", to: "sub/.env" }],
    ] as const;
    for (const [name, args] of calls) {
      const ran = await place.haft(["call", name, JSON.stringify(args), "--yes", ...options]);
      expect([ran.exitCode, ran.stderr]).toEqual([denied, expect.stringContaining("is protected")]);
    }
    expect(readFileSync(join(place.directory, ".env"), "utf8")).toBe("A=1\n");
    expect(await place.haft([...write("b.txt"), ...options])).toMatchObject({ exitCode: 0 });
    const { stdout } = await place.haft(["sessions", "show", "default"]);
    expect(stdout).toContain("PreToolUse hook");
    expect(stdout).toContain("is protected");
  });

  it("change arguments, which rules, capability and schema judge as if the model had sent them", async () => {
    const { haft, hook, directory } = openWorkspace({ "a.txt": "one\n", "secret.txt": "s\n" });
    const change = (updatedInput: object): string[] =>
      hook("PreToolUse", decide({ permissionDecision: "allow", updatedInput }));
    const to = (file: string): string[] => change({ file_path: join(directory, file) });
    const changed = (await haft([...read, ...to("secret.txt")])).json<ToolResult>();
    expect(changed).toMatchObject({ data: { content: "1: s" } });
    expect(changed.metadata.hooks).toMatchObject([
      { event: "PreToolUse", did: "changed the arguments" },
    ]);
    const rule = ["--rule", "read secret.txt deny"];
    for (const [given, code] of [
      [[...to("secret.txt"), ...rule], "denied"],
      [change({ file_path: "/etc/passwd" }), "out-of-scope"],
      [change({ file: 1 }), "invalid-arguments"],
    ] as const) {
      const result = (await haft([...read, "--yes", ...given])).json<ToolResult>();
      expect(result.metadata.error_code).toBe(code);
    }
  });

  it("allow nothing: what a rule denies or asks about stays so", async () => {
    const { haft, hook, directory } = openWorkspace();
    const allow = hook("PreToolUse", decide({ permissionDecision: "allow" }));
    const call = ["call", "write", "path=b.txt", "content=x"];
    expect((await haft([...call, ...allow])).exitCode).toBe(errorCodes.headless.exitCode);
    const rule = ["--rule", "write * deny", "--yes"];
    expect((await haft([...call, ...rule, ...allow])).exitCode).toBe(denied);
    expect(existsSync(join(directory, "b.txt"))).toBe(false);
  });

  it("refuse what a person would be asked about, and approve none of it", async () => {
    const { haft, hook, record, inputs } = openWorkspace();
    const answer = (decision: object): string[] =>
      hook("PermissionRequest", `${record}; ${print({ hookSpecificOutput: { decision } })}`);
    const call = ["call", "write", "path=b.txt", "content=x", "--json"];
    const run = async (...more: string[]): Promise<ToolResult> =>
      (await haft([...call, ...more])).json();
    const code = (error_code: string) => ({ metadata: { error_code } });
    const deny = answer({ behavior: "deny", message: "not here" });
    expect(await run("--yes", ...deny)).toMatchObject({
      error_text: expect.stringContaining("not here"),
      ...code("denied"),
    });
    expect(await run(...answer({ behavior: "allow" }))).toMatchObject(code("headless"));
    expect(await run("--rule", "write * allow", ...deny)).toMatchObject({ type: "output" });
    expect(inputs()).toMatchObject([{ tool_name: "Write" }, { tool_name: "Write" }]);
  });

  it("have a person asked", async () => {
    const { haft, hook } = openWorkspace();
    const why = { permissionDecision: "ask", permissionDecisionReason: "looks odd" };
    const options = hook("PreToolUse", decide(why));
    const ran = await haft([...read, ...options]);
    expect(ran.json<ToolResult>()).toMatchObject({
      error_text: expect.stringContaining("looks odd"),
      metadata: { error_code: "headless" },
    });
    expect((await haft([...read, "--yes", ...options])).exitCode).toBe(0);
  });

  it("add context before and after, comment on results and replace them", async () => {
    const { haft, hook } = openWorkspace();
    const after = (output: object): string[] => hook("PostToolUse", print(output));
    const own = (fields: object): object => ({ hookSpecificOutput: fields });
    const ran = await haft([
      ...read,
      ...hook("PreToolUse", decide({ additionalContext: "first" })),
      ...after({ decision: "block", reason: "not tidy" }),
      ...after(own({ additionalContext: "more" })),
      ...hook("PostToolUse", "echo 'tests failed' >&2; exit 2"),
      ...after(own({ updatedToolOutput: { hidden: true } })),
    ]);
    expect(ran.json<ToolResult>()).toMatchObject({
      data: { hidden: true },
      metadata: {
        notices: [
          "PreToolUse hook: first",
          "PostToolUse hook blocked: not tidy",
          "PostToolUse hook: more",
          "PostToolUse hook blocked: tests failed",
        ],
      },
    });
  });

  it("format what a call wrote, and one undo takes back both", async () => {
    const { haft, hook, directory } = openWorkspace();
    const format = `sed -i 's/ *$//' ${join(directory, "a.txt")}`;
    const options = hook("PostToolUse", format, { matcher: "Edit|Write" });
    const edit = (old_string: string, new_string: string): Promise<unknown> => {
      const args = JSON.stringify({ path: "a.txt", old_string, new_string });
      return haft(["call", "edit", args, "--yes", ...options]);
    };
    const text = (): string => readFileSync(join(directory, "a.txt"), "utf8");
    await edit("two", "zwei   ");
    await edit("one", "eins   ");
    expect(text()).toBe("eins\nzwei\n");
    expect((await haft(["undo"])).exitCode).toBe(0);
    expect(text()).toBe("one\nzwei\n");
    expect((await haft(["undo"])).exitCode).toBe(0);
    expect(text()).toBe("one\ntwo\n");
    expect((await haft(["redo"])).exitCode).toBe(0);
    expect(text()).toBe("one\nzwei\n");
  });

  it("fail without effect, as their agent documents, unless they block on failure", async () => {
    const { haft, hook } = openWorkspace();
    const handler = { timeout: 0.05 };
    for (const [options, why] of [
      [hook("PreToolUse", "exit 1"), "it exited with 1"],
      [hook("PreToolUse", "sleep 60", { handler }), "took longer than 0.05 seconds"],
      [hook("PreToolUse", "", { handler: { command: "/nonexistent/x" } }), "it exited with 127"],
      [
        hook("PreToolUse", "", { handler: { command: "/nonexistent/x", args: [] } }),
        "no such file",
      ],
    ] as const) {
      const ran = await haft([...read, ...options]);
      expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining(why)]);
    }
    for (const script of ["echo garbage; echo '{'", "echo '{\"decision\": 3}'", "kill -9 $$"]) {
      expect((await haft([...read, ...hook("PreToolUse", script)])).exitCode).toBe(0);
    }
    const strict = { onFailure: "block" };
    const ran = await haft([...read, ...hook("PreToolUse", "exit 1", { handler: strict })]);
    expect(ran.exitCode).toBe(denied);
  });

  it("learn that a person is asked, and never keep a session from ending", async () => {
    const { haft, hook, record, inputs } = openWorkspace();
    const options = [
      ...hook("Notification", record),
      ...hook("SessionEnd", "sleep 60", { handler: { timeout: 0.05 } }),
    ];
    const ran = await haft([...write("b.txt"), ...options]);
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("took longer")]);
    await vi.waitFor(() =>
      expect(inputs()).toMatchObject([{ notification_type: "permission_prompt" }]),
    );
  });

  it("run for what their matcher and condition select", async () => {
    const place = openWorkspace();
    const { haft, hook, record, inputs } = place;
    const options = [
      ...hook("PreToolUse", record, { matcher: "Read" }),
      ...hook("PreToolUse", record, { matcher: "Rea" }),
      ...hook("PreToolUse", record, { matcher: "^R.*d$" }),
      ...hook("PreToolUse", record, { matcher: "Bash, Read" }),
      ...hook("PreToolUse", record, { handler: { if: "Read(*.md)" } }),
      ...hook("PreToolUse", record, { handler: { if: "Read(*.txt)" } }),
      ...hook("PreToolUse", record, { handler: { if: "Bash(git *)" } }),
    ];
    await haft([...read, ...options]);
    expect(inputs()).toHaveLength(4);
    await haft(["call", "bash", "command=true; git status", "--sandbox", "off", ...options]);
    expect(inputs().slice(4)).toHaveLength(2);
  });

  it.skipIf(isMissing("bwrap"))(
    "run around the calls of a program, whose result tells of them",
    async () => {
      const { haft, hook } = openWorkspace();
      const guard = "grep -q a.txt && { echo no entry >&2; exit 2; }; exit 0";
      const options = [
        ...hook("PreToolUse", guard, { matcher: "Read" }),
        ...hook("PostToolUse", print({ decision: "block", reason: "look" }), { matcher: "Write" }),
      ];
      const code = `
      await tools.write({ path: "b.txt", content: "b" });
      try { await tools.read({ path: "a.txt" }) } catch (error) { return error.code }`;
      const args = JSON.stringify({ code });
      const ran = await haft(["call", "run_code", args, "--code", "--yes", "--json", ...options]);
      expect(ran.json<ToolResult>()).toMatchObject({
        data: { output: "denied" },
        metadata: { notices: ["PostToolUse hook blocked: look"] },
      });
    },
  );

  it("run in haft mcp, and the client's model reads what they add", async () => {
    const { hook, ...workspace } = openWorkspace();
    const options = [
      ...hook("SessionStart", "echo Use tabs."),
      ...hook("PreToolUse", "echo never >&2; exit 2", { matcher: "Write" }),
    ];
    const { ask } = startHaft(workspace, ["mcp", "--yes", ...options]);
    const clientInfo = { name: "test", version: "1" };
    await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    const call = async (name: string, args: object): Promise<string | undefined> =>
      (await ask("tools/call", { name, arguments: args })).result.content[0]?.text;
    expect(await call("read", { path: "a.txt" })).toContain(
      "[Notice: SessionStart hook: Use tabs.]",
    );
    expect(await call("write", { path: "b.txt", content: "" })).toContain("never");
  });
});

describe("hooks of Codex", () => {
  const codex = { agent: "codex" } as const;

  it("see commands as Bash and every change of a file as apply_patch", async () => {
    const { haft, hook, record, inputs, directory } = openWorkspace();
    const options = ["PreToolUse", "PostToolUse"].flatMap((event) =>
      hook(event, record, { ...codex, matcher: "Bash|Write" }),
    );
    const given = ["--yes", "--sandbox", "off", ...options];
    await haft(["call", "bash", "command=echo hi", ...given]);
    await haft(["call", "edit", "path=a.txt", "old_string=two", "new_string=zwei", ...given]);
    await haft(["call", "read", "path=a.txt", ...options]);
    const common = { cwd: directory, transcript_path: null, model: "", turn_id: "" };
    expect(inputs()).toMatchObject([
      { ...common, tool_name: "Bash", tool_input: { command: "echo hi" } },
      { ...common, hook_event_name: "PostToolUse", tool_response: "hi\n" },
      {
        tool_name: "apply_patch",
        tool_input: {
          command: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** End Patch\n",
        },
      },
      { tool_name: "apply_patch" },
    ]);
  });

  it("decide as Codex documents: reasons are required, and a block replaces the result", async () => {
    const { haft, hook } = openWorkspace();
    const bash = ["call", "bash", "command=echo hi", "--yes", "--sandbox", "off", "--json"];
    const run = async (event: string, script: string): Promise<ToolResult> =>
      (await haft([...bash, ...hook(event, script, codex)])).json();
    expect(await run("PreToolUse", "echo no >&2; exit 2")).toMatchObject({ type: "error" });
    expect(await run("PreToolUse", "exit 2")).toMatchObject({ type: "output" });
    expect(await run("PreToolUse", "echo '{'")).toMatchObject({ type: "output" });
    const updatedInput = { command: "echo ho" };
    const changed = decide({ permissionDecision: "allow", updatedInput });
    expect(await run("PreToolUse", changed)).toMatchObject({ data: { output: "ho\n" } });
    expect(await run("PreToolUse", decide({ updatedInput }))).toMatchObject({
      data: { output: "hi\n" },
    });
    const block = print({ decision: "block", reason: "hidden" });
    expect(await run("PostToolUse", block)).toMatchObject({
      error_text: "PostToolUse hook: hidden",
    });
  });

  it("can be in its config.toml", async () => {
    const { haft, home } = openWorkspace();
    const file = join(home, "config.toml");
    const toml = `
model = "x"
[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "echo stopped >&2; exit 2"
timeout = 5
[hooks.state]
`;
    writeFileSync(file, toml);
    const ran = await haft(["call", "bash", "command=true", "--yes", "--hooks", file]);
    expect([ran.exitCode, ran.stderr]).toEqual([denied, expect.stringContaining("stopped")]);
  });
});

describe("hooks of Gemini CLI", () => {
  const gemini = { agent: "gemini" } as const;

  it("get the names and JSON of their agent", async () => {
    const place = openWorkspace();
    const { haft, hook, record, inputs, directory } = place;
    const script = `${record}; test "$GEMINI_PROJECT_DIR" = ${directory} || exit 2`;
    const options = ["BeforeTool", "AfterTool", "SessionEnd"].flatMap((event) =>
      hook(event, script, gemini),
    );
    await haft([...read, ...options]);
    const common = { cwd: directory, timestamp: expect.stringMatching(/^\d{4}-.*Z$/u) };
    const call = { tool_name: "read_file", tool_input: { file_path: join(directory, "a.txt") } };
    expect(inputs()).toMatchObject([
      { ...common, hook_event_name: "BeforeTool", ...call },
      { ...common, ...call, tool_response: { llmContent: expect.stringContaining("one") } },
      { hook_event_name: "SessionEnd", reason: "exit" },
    ]);
  });

  it("merge arguments, one after the other on request, and hide results", async () => {
    const { haft, home, hook } = openWorkspace({ "a.txt": "one\n", "b.txt": "two\n" });
    const script = join(home, "change.mjs");
    writeFileSync(
      script,
      `import { readFileSync } from "node:fs";
const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const changed = process.argv[2] === "1" ? { file_path: "d.txt" } : { content: tool_input.file_path };
console.log(JSON.stringify({ hookSpecificOutput: { tool_input: changed } }));`,
    );
    const file = join(home, "settings.json");
    const hooks = ["1", "2"].map((word) => ({
      ...{ type: "command", name: `add-${word}`, timeout: 20_000 },
      command: `${process.execPath} ${script} ${word}`,
    }));
    const settings = { hooks: { BeforeTool: [{ matcher: "write_.*", sequential: true, hooks }] } };
    writeFileSync(file, JSON.stringify(settings));
    await haft([...write("c.txt"), "--hooks", file]);
    const shown = await haft(["call", "read", "path=d.txt", "--json"]);
    expect(shown.json()).toMatchObject({ data: { content: "1: d.txt" } });
    const hide = hook("AfterTool", print({ decision: "deny", reason: "hidden" }), gemini);
    expect((await haft([...read, ...hide])).json()).toMatchObject({
      error_text: "AfterTool hook: hidden",
    });
  });

  it("refuse by their decision or any exit code from 2 on", async () => {
    const { haft, hook } = openWorkspace();
    for (const script of [
      print({ decision: "deny", reason: "no" }),
      "echo no >&2; exit 2",
      "echo no >&2; exit 7",
      `echo '${JSON.stringify({ decision: "block", reason: "no" })}' >&2`,
    ]) {
      const ran = await haft([...read, ...hook("BeforeTool", script, gemini)]);
      expect(ran.json()).toMatchObject({ metadata: { error_code: "denied" } });
    }
    expect((await haft([...read, ...hook("BeforeTool", "exit 1", gemini)])).exitCode).toBe(0);
  });
});

describe("a hook file", () => {
  it("is refused with the place of its fault, because a guard must not be left out", async () => {
    const { haft, home } = openWorkspace();
    const file = join(home, "settings.json");
    for (const [content, fault] of [
      ["{", "line 1"],
      ['{"hooks": []}', "hooks is not an object"],
      ['{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse is not a list"],
      ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}', "hooks[0].command"],
      ['{"hooks": {"PreToolUse": [{"matcher": "(", "hooks": []}]}}', "[0].matcher is invalid"],
    ] as const) {
      writeFileSync(file, content);
      const ran = await haft([...read, "--hooks", file]);
      expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(fault)]);
    }
    expect((await haft([...read, "--hooks", join(home, "none.json")])).exitCode).toBe(2);
  });

  it("is used as far as it is supported, and one warning names the rest", async () => {
    const { haft, home } = openWorkspace();
    const file = join(home, "settings.json");
    const hooks = {
      PreCompact: [],
      PreToolUse: [{ hooks: [{ type: "prompt", prompt: "x" }] }],
      Unheard: [],
    };
    writeFileSync(file, JSON.stringify({ hooks }));
    const { stderr, exitCode } = await haft([...read, "--hooks", file]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^haft: .* the event PreCompact; .*"prompt"; the event Unheard\n$/u);
    writeFileSync(file, JSON.stringify({ disableAllHooks: true, hooks }));
    expect((await haft([...read, "--hooks", file])).stderr).toContain("switches them off");
  });
});
