import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const sources = new URL(
  "../../../../computer/src/test-support/register-sources.ts",
  import.meta.url,
).href;

/** A script of this directory that runs in a process of its own. */
export interface RunningScript {
  readonly child: ChildProcess;
  /** What it prints, line by line, up to the first that fits or its end. */
  linesUntil(isLast: (line: string) => boolean): Promise<string[]>;
  /** Ends it without its having a say. */
  kill(): Promise<void>;
}

/** Runs a script on our sources; it ends with the test at the latest. */
export function spawnScript(script: string, args: readonly string[]): RunningScript {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = spawn(process.execPath, ["--import", sources, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(kill);
  return {
    child,
    kill,
    linesUntil: async (isLast) => {
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        lines.push(line);
        if (isLast(line)) break;
      }
      return lines;
    },
  };
}
