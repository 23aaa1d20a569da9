import { resolve } from "node:path";
import type { Watchdog, WatchdogCall, WatchdogVerdict } from "@haft/core";
import { toPlainLine } from "@haft/core/internal";
import { type RanBeside, runBeside } from "../programs/run-beside.ts";
import { pickEnvironment } from "../shell/command-environment.ts";

/** Options of `createExecutableWatchdog`. */
interface ExecutableWatchdogOptions {
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
 */
export function createExecutableWatchdog(
  path: string,
  { timeoutMs = 5000, cwd }: ExecutableWatchdogOptions = {},
): Watchdog {
  const program = resolve(path);
  return async (call) => {
    const ran = await runBeside({
      program,
      input: describeCall(call),
      cwd: cwd ?? call.roots[0],
      environment: pickEnvironment(process.env),
      timeoutMs,
      maxBytes: maxOutputLength,
    });
    return toVerdict(program, ran);
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

const maxOutputLength = 16 * 1024;

function toVerdict(program: string, ran: RanBeside): WatchdogVerdict {
  const { exitCode, stdout, stderr, fault } = ran;
  const output = toPlainLine(`${stdout}${stderr}`, maxReasonLength);
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
