import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "@haft/agent";
import { onTestFinished } from "vitest";
import {
  type ModelScript,
  type ModelServer,
  type ServedProvider,
  startModelServer,
} from "./model-server.ts";
import { type HaftEnd, type HaftRun, startHaft } from "./start-haft.ts";

/** How a run of `haft agent --json` ended. */
export interface AgentEnd extends HaftEnd {
  readonly events: readonly AgentEvent[];
}

/** What is different from a script that has nothing to say on standard input. */
export interface Situation {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A machine of a test's own: a home, a workspace in a project, and a model that follows a script. */
export interface Place {
  /** What everything else lies in. */
  readonly base: string;
  readonly home: string;
  readonly workspace: string;
  /** Where Haft keeps what it keeps. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly model: ModelServer;
  /** The options that lead to the model. */
  modelOptions(provider?: ServedProvider): readonly string[];
  start(args: readonly string[], situation?: Situation): HaftRun;
  haft(args: readonly string[], situation?: Situation): Promise<HaftEnd>;
  /** Runs `haft agent --json` with the model. */
  agent(args: readonly string[], situation?: Situation): Promise<AgentEnd>;
  startAgent(args: readonly string[], situation?: Situation): HaftRun;
  read(path: string): string;
  write(files: Readonly<Record<string, string>>): void;
}

/** Where a model is reached from a place. */
const keys = {
  OPENAI_API_KEY: "key-of-openai",
  ANTHROPIC_API_KEY: "key-of-anthropic",
  GOOGLE_GENERATIVE_AI_API_KEY: "key-of-google",
};

/** Makes a place with these files in the workspace; it goes when the test ends. */
export async function openPlace(
  script: ModelScript,
  files: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-agents-")));
  const [home, workspace, state] = ["home", "project/workspace", "state"].map((name) =>
    join(base, name),
  ) as [string, string, string];
  mkdirSync(home);
  mkdirSync(workspace, { recursive: true });
  const model = await startModelServer(script);
  const runs: HaftRun[] = [];
  onTestFinished(async () => {
    for (const { child } of runs) child.kill("SIGKILL");
    await Promise.all(runs.map(({ ended }) => ended));
    await model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  const environment = {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    HAFT_HOME: state,
    ...keys,
  };
  const write = (written: Readonly<Record<string, string>>): void => {
    for (const [name, content] of Object.entries(written)) {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  };
  write(files);
  const start = (args: readonly string[], situation: Situation = {}): HaftRun => {
    const run = startHaft(args, {
      directory: workspace,
      ...situation,
      environment: { ...environment, ...situation.environment },
    });
    runs.push(run);
    return run;
  };
  const modelOptions = (provider: ServedProvider = "openai-compatible"): readonly string[] => [
    "--model",
    `${provider}/scripted`,
    "--base-url",
    model.baseUrl(provider),
  ];
  // The workspace is the test's own: what is in it counts.
  const startAgent: Place["startAgent"] = (args, situation) =>
    start(["agent", "--json", "--trust-project", ...modelOptions(), ...args], situation);
  return {
    base,
    home,
    workspace,
    state,
    environment,
    model,
    modelOptions,
    start,
    haft: (args, situation) => start(args, situation).ended,
    startAgent,
    agent: async (args, situation) => {
      const end = await startAgent(args, situation).ended;
      return { ...end, events: readEvents(end.stdout) };
    },
    read: (path) => readFileSync(join(workspace, path), "utf8"),
    write,
  };
}

/** The events of `--json`; throws if a line is anything else. */
export function readEvents(stdout: string): readonly AgentEvent[] {
  if (stdout !== "" && !stdout.endsWith("\n")) throw new Error("The last line has no end.");
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentEvent);
}

/** The events of one type. */
export function eventsOf<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): readonly Extract<AgentEvent, { readonly type: Type }>[] {
  return events.filter(
    (event): event is Extract<AgentEvent, { readonly type: Type }> => event.type === type,
  );
}

/** How the turn ended. */
export function endOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: "turn-end" }> {
  const last = events.at(-1);
  if (last?.type !== "turn-end") throw new Error(`The turn has no end: ${JSON.stringify(last)}`);
  return last;
}
