import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { sourceCommand } from "../../../../../test/programs/source-command.ts";

/** A script of this directory that runs in a process of its own. */
export interface RunningScript {
  readonly child: ChildProcess;
  /** What it prints, line by line, up to the first that fits or its end. */
  linesUntil(isLast: (line: string) => boolean): Promise<string[]>;
  /** Ends it without its having a say. */
  kill(): Promise<void>;
}

/** Runs a script on our sources; it ends with the test at the latest. */
export async function spawnScript(script: string, args: readonly string[]): Promise<RunningScript> {
  const [command, ...before] = await sourceCommand(new URL(script, import.meta.url));
  const child = spawn(command, [...before, ...args], { stdio: ["ignore", "pipe", "inherit"] });
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
