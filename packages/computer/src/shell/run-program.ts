import { type ChildProcess, spawn } from "node:child_process";
import { type ProgramResult, ToolError } from "@haft/contract";

/** A program that was found, and how it is to run. */
export interface Program {
  readonly path: string;
  /** Its name, for messages. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: Uint8Array | string | undefined;
  readonly maxOutputBytes: number;
}

// How long a program has to end by itself, or to let go of its output, before it is made to.
const graceMs = 1_000;

/**
 * Runs a program in a process group of its own. When it is to stop, the whole group ends: whatever
 * the program has started must not go on behind its back.
 */
export function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw toStop(program, signal);
    const child = start(program);
    const output = collectOutput(child, program, (reason) => stop(reason));
    let stopped: ToolError | undefined;
    const timers: NodeJS.Timeout[] = [];
    const later = (action: () => void): void => {
      timers.push(setTimeout(action, graceMs));
    };
    const end = (): void => {
      endGroup(child, "SIGKILL");
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    };
    const stop = (reason: ToolError): void => {
      if (stopped !== undefined) return;
      stopped = reason;
      endGroup(child, "SIGTERM");
      later(end);
    };
    const onAbort = (): void => stop(toStop(program, signal));
    const finish = (): void => {
      running.delete(child);
      signal.removeEventListener("abort", onAbort);
      for (const timer of timers) clearTimeout(timer);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("error", (error) => {
      finish();
      reject(cannotRun(program, error));
    });
    // What it left behind may hold its output open for ever.
    child.once("exit", () => later(end));
    child.once("close", (exitCode) => {
      finish();
      if (stopped !== undefined) {
        // Whoever ignored the first signal may have children that did so too.
        endGroup(child, "SIGKILL");
        reject(stopped);
      } else resolve({ exitCode: exitCode ?? undefined, ...output() });
    });
  });
}

const running = new Set<ChildProcess>();

function start(program: Program): ChildProcess {
  if (running.size === 0 && !process.listeners("exit").includes(endAll)) process.on("exit", endAll);
  try {
    const child = spawn(program.path, program.args, {
      cwd: program.cwd,
      env: program.environment,
      detached: true,
      stdio: [program.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    running.add(child);
    return child;
  } catch (error) {
    throw cannotRun(program, error as Error);
  }
}

// A group of its own does not hear when this process is told to stop.
function endAll(): void {
  for (const child of running) endGroup(child, "SIGKILL");
}

function collectOutput(
  child: ChildProcess,
  { name, input, maxOutputBytes }: Program,
  stop: (reason: ToolError) => void,
): () => Pick<ProgramResult, "stdout" | "stderr"> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) chunks.push(chunk);
    else {
      stop(
        new ToolError(
          "too-large",
          `${name} was stopped: it printed more than ${maxOutputBytes} bytes.`,
        ),
      );
    }
  };
  child.stdout?.on("data", keep(stdout));
  child.stderr?.on("data", keep(stderr));
  // A program need not read all of its input.
  child.stdin?.on("error", () => {});
  if (input !== undefined) child.stdin?.end(input);
  return () => ({
    stdout: new Uint8Array(Buffer.concat(stdout)),
    stderr: Buffer.concat(stderr).toString("utf8"),
  });
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

function toStop({ name }: Program, { reason }: AbortSignal): ToolError {
  if (ToolError.isInstance(reason)) return reason;
  return new ToolError("cancelled", `${name} was stopped: the call was aborted.`);
}

function cannotRun({ name, path }: Program, error: Error): ToolError {
  return new ToolError("unavailable", `${name} can't be run: ${error.message}.`, {
    absolutePath: path,
    cause: error,
  });
}
