import type { ThreadSummary } from "@haft/agent";
import { describe, expect, it } from "vitest";
import type { Command } from "../../command.ts";
import { agent } from "../../declarations/agent.ts";
import { runCommand } from "../../test-support/run-command.ts";
import { createAgentCommand } from "./create-agent-command.ts";
import {
  createScriptedSource,
  type Script,
  type ScriptedSource,
  toResult,
} from "./test-support/scripted-agent.ts";

const place = { directory: "/nowhere", environment: {} };

async function run(
  args: readonly string[],
  script: Script = sayHello,
  threads: ThreadSummary[] = [],
) {
  let source: ScriptedSource | undefined;
  let choice: unknown;
  const command = createAgentCommand(async (_options, _io, chosen) => {
    choice = chosen;
    source = { ...createScriptedSource(script), threads: { list: () => threads } };
    return source;
  });
  const ran = await runCommand({ ...agent, load: async () => command } as Command, args, place);
  return { ...ran, log: source?.log ?? [], choice };
}

const sayHello: Script = ({ emit }) => {
  const call = { id: "1", name: "read" };
  emit({ type: "text", text: "Looking." });
  emit({ type: "tool-call", ...call, arguments: { path: "a" } });
  emit({ type: "tool-result", ...call, result: toResult({ message: "seen" }) });
  emit({ type: "text", text: "Hello" });
  return { text: "Hello" };
};

describe("haft agent with a prompt", () => {
  it("streams the answer to standard output and tells the rest beside it", async () => {
    const { exitCode, stdout, stderr, log } = await run(["say", "hello"]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "Looking.\nHello\n",
      stderr: "• read a\n  seen\n",
    });
    expect(log.slice(1)).toEqual(["prompt say hello", "close s1", "close all"]);
  });

  it("prints only the last answer with --quiet", async () => {
    const { stdout, stderr } = await run(["--quiet", "say hello"]);
    expect({ stdout, stderr }).toEqual({ stdout: "Hello\n", stderr: "" });
    const failed = await run(["--quiet", "x"], () => ({ reason: "error", error: "It broke." }));
    expect(failed).toMatchObject({ exitCode: 1, stdout: "", stderr: "haft: It broke.\n" });
  });

  it("prints events and nothing else with --json", async () => {
    const { stdout, stderr } = await run(["--json", "say hello"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(events).toEqual([
      ...["turn-start", "step-start", "text", "tool-call", "tool-result", "text", "turn-end"],
    ]);
    expect(stderr).toBe("");
  });

  it.each([
    ["end", 0],
    ["error", 1],
    ["max-steps", 3],
    ["max-tokens", 3],
    ["max-cost", 3],
    ["loop", 3],
    ["aborted", 130],
  ] as const)("exits after %s with %i", async (reason, exitCode) => {
    expect((await run(["--json", "x"], () => ({ reason }))).exitCode).toBe(exitCode);
  });

  it("passes on what was chosen", async () => {
    const args = [
      "--model",
      "openai/x",
      "--base-url",
      "http://h/v1",
      "--plan",
      "--session",
      "mine",
    ];
    const limits = ["--max-steps", "3", "--max-tokens", "1000", "--max-cost", "0.5"];
    const { log, choice } = await run([...args, ...limits, "--diagnostics", "x"]);
    expect(choice).toEqual({ model: "openai/x", baseUrl: "http://h/v1" });
    expect(JSON.parse(log[0]?.replace("start mine ", "") ?? "")).toEqual({
      agent: "plan",
      model: "openai/x",
      limits: { maxSteps: 3, maxTokens: 1000, maxCost: 0.5 },
      diagnostics: true,
      session: "mine",
    });
  });

  it("continues with the last session that a person began", async () => {
    const facts = { workspace: "/w", createdAt: 0, updatedAt: 0, entries: 1, calls: 0 };
    const threads = [
      { ...facts, id: "w/last.finder-abcde", name: "last.finder-abcde", parent: "w/last" },
      { ...facts, id: "w/last", name: "last" },
    ];
    expect((await run(["--continue", "x"], sayHello, threads)).log[0]).toMatch(/^start last /u);
    const none = await run(["--continue", "x"]);
    expect(none).toMatchObject({ exitCode: 2, log: ["close all"] });
    expect(none.stderr).toContain("Leave out --continue");
  });

  it.each([
    [[], 'There is no terminal for a conversation. Give a prompt: haft agent "…"'],
    [["--json"], "--json and --quiet need a prompt"],
    [["--json", "--quiet", "x"], "Use only one of them"],
    [["--plan", "--agent", "build", "x"], "--plan means --agent plan"],
    [["--continue", "--session", "a", "x"], "not both"],
    [["--max-steps", "0", "x"], '--max-steps takes a whole number of at least 1, not "0"'],
    [["--max-steps", "1.5", "x"], "--max-steps takes a whole number"],
    [["--max-tokens", "many", "x"], "--max-tokens takes a whole number"],
    [["--max-cost=0", "x"], "--max-cost takes a number greater than 0"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, stderr, stdout } = await run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("closes everything where the agent can't be started", async () => {
    let closed = false;
    const command = createAgentCommand(async () => ({
      ...createScriptedSource(sayHello),
      start: () => Promise.reject(new Error("no model")),
      close: async () => {
        closed = true;
      },
    }));
    expect(
      (await runCommand({ ...agent, load: async () => command } as Command, ["x"], place)).exitCode,
    ).toBe(1);
    expect(closed).toBe(true);
  });
});
