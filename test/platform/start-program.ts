import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { sourceCommand } from "../programs/source-command.ts";

/** How a run of the program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the program. */
export interface ProgramRun {
  readonly child: ChildProcess;
  /** Resolves with what was printed so far once this is in it; rejects if it ends without. */
  printed(pattern: RegExp): Promise<string>;
  readonly ended: Promise<ProgramEnd>;
}

/** Where the program is run. */
export interface ProgramPlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

const [command, ...before] = await sourceCommand(
  new URL("../../packages/cli/src/commands/mcp/test-support/haft.ts", import.meta.url),
);

/** Starts `haft` from its sources, as a process of its own. */
export function startProgram(args: readonly string[], place: ProgramPlace): ProgramRun {
  const child = spawn(command, [...before, ...args], {
    cwd: place.directory,
    env: { ...process.env, ...place.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return {
    child,
    ended,
    printed: async (pattern) => {
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      while (!pattern.test(stdout)) {
        if (hasEnded) throw new Error(`haft ended before it printed ${pattern}: ${stderr}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
      return stdout;
    },
  };
}
