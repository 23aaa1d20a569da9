import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import { Problem } from "../problem.ts";
import { type GitSettings, toGitEnvironment } from "./git-environment.ts";
import type { GitProgram } from "./git-program.ts";

/** How one git is to be started. */
export interface GitStart {
  readonly settings?: GitSettings;
  /** Variables beside those that every git gets. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it ends by itself, and tidies up, when its input does; then that is tried first. */
  readonly endsWithInput?: boolean;
  /** Whether it and its hooks can talk to us on descriptor 3. */
  readonly channel?: boolean;
}

/** How a git ended. */
export interface GitEnd {
  /** `null` if it was killed. */
  readonly code: number | null;
  /** Why we stopped it, if we did. */
  readonly stopped: "timeout" | "abort" | "close" | undefined;
  /** The end of what it said about itself. For us, never for a caller: it names paths. */
  readonly errors: string;
}

/** A git at work. */
export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** What was asked for with `channel`. */
  readonly channel: Duplex | undefined;
  readonly ended: Promise<GitEnd>;
  stop(): void;
}

/** Starts gits, each with a clean environment and bounded in time. */
export interface Git {
  start(args: readonly string[], options?: GitStart): GitProcess;
  /** Stops those at work; nothing starts afterwards. */
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const endMs = 1_000;
const patienceMs = 2_000;
const mostErrorText = 4_096;

/** Makes what starts gits; `home` is a directory without anything of the server's own. */
export function createGit(program: GitProgram, home: string): Git {
  const working = new Map<GitProcess, (reason: GitEnd["stopped"]) => void>();
  let closed = false;

  return {
    start: (args, options = {}) => {
      if (closed) throw new Problem(503, "The server is shutting down. Try again in a moment.");
      options.signal?.throwIfAborted();
      const [command = "", ...before] = program.command;
      const child = spawn(command, [...before, ...args], {
        cwd: home,
        env: {
          ...toGitEnvironment(program, { home, settings: options.settings ?? {} }),
          ...options.environment,
        },
        stdio: ["pipe", "pipe", "pipe", ...(options.channel === true ? (["pipe"] as const) : [])],
        // Its own process group: git's helpers are stopped along with it.
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
    // Asked first, so that it takes its locks away.
    if (wait === 0) signalGroup(child, "SIGTERM");
    else timers.push(setTimeout(() => signalGroup(child, "SIGTERM"), wait));
    timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), wait + patienceMs));
  };
  timers.push(setTimeout(() => stop("timeout"), options.timeoutMs ?? timeoutMs));
  const abort = (): void => stop("abort");
  options.signal?.addEventListener("abort", abort, { once: true });
  // A git that ends early does not read the rest, which is no fault of the one who writes.
  stdin.on("error", () => {});
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-mostErrorText);
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
  // Who awaits it hears of it; nobody has to.
  ended.catch(() => {});
  return { process: { stdin, stdout, channel, ended, stop: () => stop("abort") }, stop };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}
