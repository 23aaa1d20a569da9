import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Watchdog, WatchdogCall, WatchdogVerdict } from "@haft/core";
import { toPlainLine } from "@haft/core/internal";
import { pickEnvironment } from "../shell/command-environment.ts";

/** Options of `createExecutableWatchdog`. */
export interface ExecutableWatchdogOptions {
  /** Time limit. Default: 5,000. After it the program is killed and the call refused. */
  readonly timeoutMs?: number;
  /** Working directory. Default: the first workspace root. */
  readonly cwd?: string;
}

const maxReasonLength = 2_000;

/**
 * Creates a watchdog from a program. It is run for each call, with the call as JSON on its standard
 * input. Its exit code decides: 0 to continue, 1 to ask, 2 to refuse; its output is the reason. Any
 * other outcome refuses the call: a watchdog that failed guards nothing.
 *
 * @example
 * ```ts
 * import { createExecutableWatchdog } from "@haft/computer";
 *
 * const watchdog = createExecutableWatchdog("/usr/local/bin/check-call", { timeoutMs: 2_000 });
 * ```
 */
export function createExecutableWatchdog(
  path: string,
  { timeoutMs = 5000, cwd }: ExecutableWatchdogOptions = {},
): Watchdog {
  const program = resolve(path);
  return async (call) => {
    const run = await runGuard(program, describeCall(call), {
      timeoutMs,
      cwd: cwd ?? call.roots[0],
    });
    return toVerdict(program, run);
  };
}

/** The program's input. Words that are not literal are null. */
function describeCall(call: WatchdogCall): string {
  return JSON.stringify({
    session: call.session,
    call_id: call.callId,
    tool: call.tool,
    kind: call.kind,
    arguments: call.arguments,
    manifest: call.manifest,
    roots: call.roots,
    commands: call.subjects
      .filter(({ type }) => type === "command")
      .map(({ key, cwd, reading }) => ({ command: key, cwd, reading })),
  });
}

interface GuardRun {
  readonly exitCode: number | null;
  readonly output: string;
  /** Why it did not end by itself. */
  readonly fault?: string;
}

const maxOutputLength = 16 * 1024;

function runGuard(
  program: string,
  input: string,
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd: string | undefined },
): Promise<GuardRun> {
  return new Promise((settle) => {
    // Its own group, so that its children end with it.
    const guard = spawn(program, [], { cwd, env: pickEnvironment(process.env), detached: true });
    const parts: Buffer[] = [];
    let size = 0;
    let fault: string | undefined;
    const endAll = (): void => endGroup(guard.pid);
    const timer = setTimeout(() => {
      fault = `it took longer than ${timeoutMs / 1000} seconds`;
      endAll();
    }, timeoutMs);
    const take = (part: Buffer): void => {
      if (size < maxOutputLength) parts.push(part.subarray(0, maxOutputLength - size));
      size += part.length;
    };
    guard.stdout.on("data", take);
    guard.stderr.on("data", take);
    // It may decide before it has read everything.
    guard.stdin.on("error", () => {});
    guard.stdin.end(input);
    guard.once("error", (error) => {
      fault ??= describeStart(error);
      clearTimeout(timer);
      settle({ exitCode: null, output: "", fault });
    });
    guard.once("exit", endAll);
    guard.once("close", (exitCode, signal) => {
      clearTimeout(timer);
      if (signal !== null) fault ??= `${signal} ended it`;
      const output = toPlainLine(Buffer.concat(parts).toString(), maxReasonLength);
      settle({ exitCode, output, ...(fault === undefined ? {} : { fault }) });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}

function describeStart(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such file";
  if (error.code === "EACCES") return "it is not executable";
  return error.message;
}

function toVerdict(program: string, { exitCode, output, fault }: GuardRun): WatchdogVerdict {
  if (fault !== undefined) return failed(program, fault);
  switch (exitCode) {
    case 0:
      return { action: "allow" };
    case 1:
      return { action: "ask", reason: output || `the watchdog ${program} requires approval` };
    case 2:
      return { action: "deny", reason: output || `The watchdog ${program} refused this call.` };
    default:
      return failed(program, `it exited with ${exitCode}${output && `: ${output}`}`);
  }
}

function failed(program: string, why: string): WatchdogVerdict {
  return {
    action: "deny",
    reason: `The watchdog ${program} failed (${why}), so the call was refused.`,
  };
}
