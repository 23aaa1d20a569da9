import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Watchdog, WatchdogCall, WatchdogVerdict } from "@haft/core";
import { scrubEnvironment } from "../shell/scrub-environment.ts";
import { toPlainMessage } from "./plain-message.ts";

/** How a watchdog that is a program is run. */
export interface ExecutableWatchdogOptions {
  /** 5,000 unless said. Then it is killed, and the call refused. */
  readonly timeoutMs?: number;
  /** Where it runs; the first workspace root unless said. */
  readonly cwd?: string;
}

/**
 * Makes a watchdog of a program. It is run for each call, with the call as JSON on its standard
 * input, and says by its exit code what is to become of it: 0 to go on, 1 to ask, 2 to refuse; what
 * it prints is the reason. Whatever else happens refuses: a guard that fell over guards nothing.
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

/** What the program is told. Words that are not literal are null. */
function describeCall(call: WatchdogCall): string {
  return JSON.stringify({
    session: call.session,
    call_id: call.callId,
    tool: call.tool,
    kind: call.kind,
    arguments: call.arguments,
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

const mostOutput = 16 * 1024;

function runGuard(
  program: string,
  input: string,
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd: string | undefined },
): Promise<GuardRun> {
  return new Promise((settle) => {
    // A group of its own, so that what it starts ends with it.
    const guard = spawn(program, [], { cwd, env: scrubEnvironment(process.env), detached: true });
    const parts: Buffer[] = [];
    let size = 0;
    let fault: string | undefined;
    const endAll = (): void => endGroup(guard.pid);
    const timer = setTimeout(() => {
      fault = `it took longer than ${timeoutMs / 1000} seconds`;
      endAll();
    }, timeoutMs);
    const take = (part: Buffer): void => {
      if (size < mostOutput) parts.push(part.subarray(0, mostOutput - size));
      size += part.length;
    };
    guard.stdout.on("data", take);
    guard.stderr.on("data", take);
    // It may know enough before it has read everything.
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
      const output = toPlainMessage(Buffer.concat(parts).toString());
      settle({ exitCode, output, ...(fault === undefined ? {} : { fault }) });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left of it.
  }
}

function describeStart(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such file";
  if (error.code === "EACCES") return "it is not executable";
  return error.message;
}

function toVerdict(program: string, { exitCode, output, fault }: GuardRun): WatchdogVerdict {
  if (fault !== undefined) return fallenOver(program, fault);
  switch (exitCode) {
    case 0:
      return { action: "allow" };
    case 1:
      return { action: "ask", reason: output || `the watchdog ${program} wants it` };
    case 2:
      return { action: "deny", reason: output || `The watchdog ${program} refused this call.` };
    default:
      return fallenOver(program, `it exited with ${exitCode}${output && `: ${output}`}`);
  }
}

function fallenOver(program: string, why: string): WatchdogVerdict {
  return {
    action: "deny",
    reason: `The watchdog ${program} failed (${why}), so nothing is let through.`,
  };
}
