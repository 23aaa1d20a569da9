import { spawn } from "node:child_process";

/** What a program did. */
export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// Shorter than the test may take, so that what it printed until then can be told.
const maxTimeMs = 100_000;

/** Runs a program to its end without input, and ends it and all it started where that does not come. */
export function runProgram(
  [program = "", ...args]: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: Record<string, string> },
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => {
    stderr += `\n${program} did not end within ${maxTimeMs} ms.`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, maxTimeMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
  });
}
