import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import { Problem } from "../problem.ts";
import { type GitSettings, toGitEnvironment } from "./git-environment.ts";
import type { GitProgram } from "./git-program.ts";

/** Options of one run of git. */
export interface GitStart {
  readonly settings?: GitSettings;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Maximum memory for data, for git and each of its helpers. Default: the limit of every run. */
  readonly maxDataBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether it cleans up and exits at the end of its input. Then stopping it closes the input
   * first.
   */
  readonly endsWithInput?: boolean;
  /** Whether git and its hooks can communicate with this process on descriptor 3. */
  readonly channel?: boolean;
}

/** How a run of git ended. */
export interface GitEnd {
  /** `null` if it was killed. */
  readonly code: number | null;
  /** Why it was stopped; `undefined` if it ended by itself. */
  readonly stopped: "timeout" | "abort" | "close" | undefined;
  /** The end of its standard error. Not for callers: it names paths. */
  readonly errors: string;
}

/** A running git process. */
export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Present if `channel` was set. */
  readonly channel: Duplex | undefined;
  readonly ended: Promise<GitEnd>;
  stop(): void;
}

/** Starts git processes with a clean environment and a time limit. */
export interface Git {
  start(args: readonly string[], options?: GitStart): GitProcess;
  /** Stops the running processes. None can be started afterwards. */
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const endMs = 1_000;
const patienceMs = 2_000;
const maxErrorLength = 4_096;

/**
 * Creates a starter for git processes. `home` is a directory without the server's configuration.
 */
export function createGit(program: GitProgram, home: string): Git {
  const working = new Map<GitProcess, (reason: GitEnd["stopped"]) => void>();
  let closed = false;

  return {
    start: (args, options = {}) => {
      if (closed) throw new Problem(503, "The server is shutting down. Try again in a moment.");
      options.signal?.throwIfAborted();
      const [command = "", ...before] = limit(program, options);
      const child = spawn(command, [...before, ...args], {
        cwd: home,
        env: {
          ...toGitEnvironment(program, { home, settings: options.settings ?? {} }),
          ...options.environment,
        },
        stdio: ["pipe", "pipe", "pipe", ...(options.channel === true ? (["pipe"] as const) : [])],
        // Its own process group, so that git's helpers are stopped along with it.
        detached: true,
      });
      const { process, stop } = watch(child, options);
      working.set(process, stop);
      void process.ended.finally(() => working.delete(process));
      return process;
    },
    close: async () => {
      closed = true;
      const ends = [...working.keys()].map((process) => process.ended);
      for (const stop of working.values()) stop("close");
      await Promise.all(ends);
    },
  };
}

function limit({ command, limiter }: GitProgram, { maxDataBytes }: GitStart): readonly string[] {
  if (limiter === undefined || maxDataBytes === undefined) return command;
  return [limiter, `--data=${maxDataBytes}`, ...command];
}

function watch(
  child: ChildProcess,
  options: GitStart,
): { readonly process: GitProcess; stop(reason: GitEnd["stopped"]): void } {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("git has no streams.");
  let stopped: GitEnd["stopped"];
  let errors = "";
  const timers: NodeJS.Timeout[] = [];
  const stop = (reason: GitEnd["stopped"]): void => {
    if (stopped !== undefined) return;
    stopped = reason;
    stdin.destroy();
    const wait = options.endsWithInput === true ? endMs : 0;
    // SIGTERM first, so that it removes its locks.
    if (wait === 0) signalGroup(child, "SIGTERM");
    else timers.push(setTimeout(() => signalGroup(child, "SIGTERM"), wait));
    timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), wait + patienceMs));
  };
  timers.push(setTimeout(() => stop("timeout"), options.timeoutMs ?? timeoutMs));
  const abort = (): void => stop("abort");
  options.signal?.addEventListener("abort", abort, { once: true });
  // A git that ends early does not read the rest of its input. That is not an error of the writer.
  stdin.on("error", () => {});
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-maxErrorLength);
  });
  const channel = options.channel === true ? (child.stdio[3] as Duplex) : undefined;
  channel?.on("error", () => {});

  const ended = new Promise<GitEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stopped, errors }));
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  });
  // Callers that await it get the error. Others may ignore it.
  ended.catch(() => {});
  return { process: { stdin, stdout, channel, ended, stop: () => stop("abort") }, stop };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}
