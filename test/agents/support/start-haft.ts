import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { sourceCommand } from "../../programs/source-command.ts";

/** How a run of the program ended. */
export interface HaftEnd {
  /** Nothing if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the program. */
export interface HaftRun {
  readonly child: ChildProcessWithoutNullStreams;
  /** What came on standard output so far. */
  stdout(): string;
  /** What came on standard error so far. */
  stderr(): string;
  readonly ended: Promise<HaftEnd>;
}

/** How the program is run. */
export interface HaftSituation {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What it gets on standard input, which then ends. */
  readonly input?: string;
}

/** What runs `haft` from its sources: the command and what comes before its arguments. */
export const haftCommand: readonly [string, ...string[]] = await sourceCommand(
  new URL("../../../packages/cli/src/commands/mcp/test-support/haft.ts", import.meta.url),
);

/** Starts `haft` from its sources, as a process of its own. */
export function startHaft(args: readonly string[], situation: HaftSituation): HaftRun {
  const { directory, environment, input = "" } = situation;
  const [command, ...before] = haftCommand;
  const child = spawn(command, [...before, ...args], {
    cwd: directory,
    env: environment,
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined).end(input);
  const ended = once(child, "close").then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}
