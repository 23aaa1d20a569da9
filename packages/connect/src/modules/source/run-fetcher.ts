import { type ExecFileException, execFile } from "node:child_process";
import { ToolError } from "@haft/contract";
import type { Environment } from "../plan/expand-environment.ts";

/** A command that fetches modules. */
export interface Fetch {
  readonly program: "git" | "npm";
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
}

const maxMs = 120_000;

/** Runs git or npm and returns its output. Throws `unavailable` if it fails. */
export function runFetcher({ program, args, cwd, environment }: Fetch): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...environment };
    const child = execFile(
      program,
      [...args],
      { cwd, env, timeout: maxMs, killSignal: "SIGKILL", maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(new ToolError("unavailable", describe(program, error, stderr), { cause: error }));
      },
    );
    // There is no user to answer prompts.
    child.stdin?.end();
  });
}

function describe(program: string, error: ExecFileException, stderr: string): string {
  if (error.code === "ENOENT") return `${program} was not found. Install it.`;
  if (error.killed) return `${program} did not finish within ${maxMs / 1000} s.`;
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return `${program} failed: ${lines.slice(-3).join(" ") || error.message}`;
}
