import { spawn } from "node:child_process";

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` if there is no such program. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for running a program. */
export interface ProgramOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives its output as it arrives. */
  onOutput?(text: string): void;
}

/** Runs a program to its end, without a shell and with empty standard input. */
export function runProgram(
  name: string,
  words: readonly string[],
  { directory, environment, signal, onOutput }: ProgramOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, [...words], {
      cwd: directory,
      env: { ...environment } as NodeJS.ProcessEnv,
      signal,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onOutput?.(text);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") resolve({ exitCode: undefined, stdout, stderr });
      else reject(error);
    });
    child.on("close", (exitCode) => resolve({ exitCode: exitCode ?? 1, stdout, stderr }));
  });
}
