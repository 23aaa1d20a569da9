import { type ExecFileException, execFile } from "node:child_process";
import { ToolError } from "@haft/contract";
import type { Environment } from "../plan/expand-environment.ts";

/** A program that fetches something, and where. */
export interface Fetch {
  readonly program: "git" | "npm";
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
}

const longestMs = 120_000;

/** Runs a program that fetches modules; what it prints comes back, its failure is `unavailable`. */
export function runFetcher({ program, args, cwd, environment }: Fetch): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...environment };
    const child = execFile(
      program,
      [...args],
      { cwd, env, timeout: longestMs, killSignal: "SIGKILL", maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(new ToolError("unavailable", describe(program, error, stderr), { cause: error }));
      },
    );
    // Nobody is there to answer.
    child.stdin?.end();
  });
}

function describe(program: string, error: ExecFileException, stderr: string): string {
  if (error.code === "ENOENT") return `The program ${program} is not there. Install it.`;
  if (error.killed) return `${program} took more than ${longestMs / 1000} s.`;
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return `${program} says: ${lines.slice(-3).join(" ") || error.message}`;
}
