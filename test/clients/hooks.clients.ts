import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type PlannedCall,
  type ScriptedModel,
  startScriptedModel,
} from "./model/scripted-model.ts";
import type { Agent } from "./support/agents/agent.ts";
import { claude } from "./support/agents/claude.ts";
import { codex } from "./support/agents/codex.ts";
import { gemini } from "./support/agents/gemini.ts";
import { createDesk, type Desk } from "./support/desk.ts";
import type { Ran } from "./support/run-program.ts";

/** An agent with hooks, and what its hooks get that ours do not. */
interface HookedAgent {
  readonly agent: Agent;
  readonly file: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  calls(workspace: string): readonly PlannedCall[];
  /** The same calls of our tools. Default: `calls`, in the agent's dialect. */
  readonly portable?: readonly PlannedCall[];
  prompt(desk: Desk, model: ScriptedModel): Promise<Ran>;
  readonly missing: readonly string[];
}

type Input = Readonly<Record<string, unknown>>;

const run = (name: string, args: Input): PlannedCall => ({ name, arguments: args });

const hooked: readonly HookedAgent[] = [
  {
    agent: claude,
    file: ".claude/settings.json",
    events: [
      ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"],
      ...["SessionStart", "SessionEnd", "Stop"],
    ],
    calls: (workspace) => [
      run("Read", { file_path: join(workspace, "a.txt") }),
      run("Edit", { file_path: join(workspace, "a.txt"), old_string: "two", new_string: "zwei" }),
      run("Write", { file_path: join(workspace, "b.txt"), content: "hello\n" }),
      run("Bash", { command: "echo hi", description: "says hi" }),
      run("Bash", { command: "echo no >&2; exit 3" }),
    ],
    prompt: (desk, model) =>
      desk.run(
        { client: "claude", program: "claude" },
        [
          ...["-p", "go", "--model", "scripted", "--output-format", "json"],
          ...["--allowedTools", "Read,Edit,Write,Bash"],
        ],
        {
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: "none",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          ENABLE_TOOL_SEARCH: "false",
        },
      ),
    missing: ["effort", "background_tasks", "session_crons"],
  },
  {
    agent: codex,
    file: ".codex/hooks.json",
    events: [
      ...["PreToolUse", "PostToolUse", "UserPromptSubmit"],
      ...["SessionStart", "SessionEnd", "Stop"],
    ],
    calls: () => [
      run("exec_command", { cmd: "echo hi" }),
      run("exec_command", { cmd: "echo no >&2; exit 3" }),
    ],
    portable: [
      run("bash", { command: "echo hi" }),
      run("bash", { command: "echo no >&2; exit 3" }),
    ],
    prompt: (desk, model) => {
      const provider = `{name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="KEY"}`;
      const settings = [
        ...['model_provider="scripted"', 'model="scripted"'],
        ...[`model_providers.scripted=${provider}`, 'sandbox_mode="danger-full-access"'],
      ];
      const given = settings.flatMap((setting) => ["-c", setting]);
      const flags = ["--skip-git-repo-check", "--json", "--dangerously-bypass-hook-trust"];
      const program = { client: "codex", program: "codex" };
      return desk.run(program, ["exec", ...flags, ...given, "go"], { KEY: "none" });
    },
    missing: [],
  },
  {
    agent: gemini,
    file: ".gemini/settings.json",
    settings: { security: { auth: { selectedType: "gemini-api-key" } } },
    events: [
      ...["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"],
      ...["SessionStart", "SessionEnd"],
    ],
    calls: (workspace) => [
      run("read_file", { file_path: join(workspace, "a.txt") }),
      run("write_file", { file_path: join(workspace, "b.txt"), content: "hello\n" }),
      run("run_shell_command", { command: "echo hi", description: "says hi" }),
      run("run_shell_command", { command: "exit 3" }),
    ],
    prompt: (desk, model) => gemini.prompt(desk, model),
    missing: [],
  },
];

describe.each(hooked)("hooks of $agent.title", ({ agent, file, events, ...own }) => {
  it("get from us what they get from their agent", async () => {
    const desk = createDesk({ "a.txt": "one\ntwo\n" });
    const { home, workspace } = desk;
    const log = join(home, "inputs.jsonl");
    const command = `cat >> ${log}; echo >> ${log}`;
    const groups = events.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]);
    const settings = { ...own.settings, hooks: Object.fromEntries(groups) };
    const path = join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(settings));
    const take = (): readonly Input[] => {
      const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
      rmSync(log);
      writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
      rmSync(join(workspace, "b.txt"), { force: true });
      return lines.map((line) => JSON.parse(line) as Input);
    };

    const theirModel = await startScriptedModel(own.calls(workspace));
    const theirs = await own.prompt(desk, theirModel);
    expect(theirs, `${theirs.stdout}${theirs.stderr}`).toMatchObject({ exitCode: 0 });
    const wanted = take();
    expect(wanted.length).toBeGreaterThan(events.length);

    const model = await startScriptedModel(own.portable ?? own.calls(workspace));
    const dialect = own.portable === undefined ? agent.dialect : "portable";
    const ours = await desk.haft(
      ...["agent", "--hooks", path, "--dialect", dialect, "--yes", "--sandbox", "off"],
      ...["--model", "openai-compatible/scripted", "--base-url", `${model.url}/v1`, "go"],
    );
    expect(ours, `${ours.stdout}${ours.stderr}`).toMatchObject({ exitCode: 0 });
    const given = take();
    const shown = ({ hook_event_name, tool_name, tool_input, prompt }: Input): Input => ({
      ...{ hook_event_name, tool_name, tool_input, prompt },
    });
    expect(given.map(shown)).toMatchObject(wanted.map(shown));
    for (const [at, theirInput] of wanted.entries()) {
      const lacking = Object.keys(theirInput).filter((key) => !(key in (given[at] as Input)));
      expect(lacking.filter((key) => !own.missing.includes(key))).toEqual([]);
    }
  });
});
