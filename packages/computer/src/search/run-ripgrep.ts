import { type ChildProcess, spawn } from "node:child_process";
import { ToolError } from "@haft/contract";
import { readIgnoreEnvironment } from "./outer-rules.ts";
import { findRipgrep } from "./ripgrep.ts";

/** One run of ripgrep. */
export interface RipgrepRun {
  readonly args: readonly string[];
  /** Its working directory. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Receives its output; once it returns `enough`, ripgrep is stopped. */
  onOutput(chunk: Buffer): "more" | "enough";
}

/** How a run ended. */
export interface RipgrepEnd {
  /** Whether it was stopped because enough was found. */
  readonly stopped: boolean;
  /** Its error messages, without those about files. */
  readonly complaint: string;
}

/** Runs ripgrep and waits for its end. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { signal } = run;
  signal.throwIfAborted();
  const ripgrep = findRipgrep();
  if (ripgrep === undefined) throw missingRipgrep();
  const child = spawn(ripgrep.path, ["--no-config", ...run.args], {
    cwd: run.directory,
    // What it needs to find the user's own ignore rules, and nothing else.
    env: { ...readIgnoreEnvironment() },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const stop = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const end = await watch(child, run);
    signal.throwIfAborted();
    return end;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const maxComplaintLength = 8 * 1024;

function watch(child: ChildProcess, { onOutput }: RipgrepRun): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    let stopped = false;
    let complaint = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      if (stopped) return;
      try {
        stopped = onOutput(chunk) === "enough";
      } catch (error) {
        stopped = true;
        reject(error);
      }
      if (!stopped) return;
      child.kill("SIGKILL");
      // Further output does not matter.
      child.stdout?.destroy();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      if (complaint.length < maxComplaintLength) complaint += chunk.toString("utf8");
    });
    child.on("error", (error) => reject(cannotStart(error)));
    child.on("close", () => resolve({ stopped, complaint: complaint.trim() }));
  });
}

function missingRipgrep(): ToolError {
  return new ToolError(
    "unavailable",
    `Searching needs ripgrep, which is not available for ${process.platform}-${process.arch}. Install ripgrep so that rg is on the PATH, or reinstall Haft with its optional dependencies.`,
  );
}

function cannotStart(error: Error): ToolError {
  return new ToolError("unavailable", `ripgrep can't be started: ${error.message}. Try again.`, {
    cause: error,
  });
}
