import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from "node:child_process";
import { toErrorMessage } from "@haft/contract/internal";

/** A program of the person's that runs beside the session, outside of the sandbox. */
export interface ProgramBeside {
  readonly program: string;
  readonly args?: readonly string[];
  /** Its standard input. */
  readonly input: string;
  readonly cwd: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** After this time it is ended, with everything that it started. */
  readonly timeoutMs: number;
  /** Maximum size of each output. More is dropped. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Whether what it leaves running may go on if it ends by itself. Default: false. */
  readonly keepsChildren?: boolean;
}

/** How such a program ended. */
export interface RanBeside {
  /** Null if it did not end by itself. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not end by itself. */
  readonly fault?: string;
}

/** Runs a program to its end. Never rejects. */
export function runBeside({
  program,
  args = [],
  input,
  cwd,
  environment,
  timeoutMs,
  maxBytes,
  signal,
  keepsChildren = false,
}: ProgramBeside): Promise<RanBeside> {
  return new Promise((settle) => {
    // Its own group, so that its children end with it.
    const child = start(program, args, { cwd, env: environment });
    if (typeof child === "string") {
      settle({ exitCode: null, stdout: "", stderr: "", fault: child });
      return;
    }
    const stdout = collect(child.stdout, maxBytes);
    const stderr = collect(child.stderr, maxBytes);
    let fault: string | undefined;
    const stop = (why: string): void => {
      fault ??= why;
      endGroup(child.pid);
      // A process that left the group may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(
      () => stop(`it took longer than ${timeoutMs / 1000} seconds`),
      timeoutMs,
    );
    const abort = (): void => stop("the call was stopped");
    signal?.addEventListener("abort", abort, { once: true });
    const end = (exitCode: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      const output = { stdout: stdout(), stderr: stderr() };
      settle({ exitCode, ...output, ...(fault !== undefined && { fault }) });
    };
    // It may decide before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", (error) => {
      fault ??= describeStart(error);
      end(null);
    });
    child.once("exit", () => {
      if (!keepsChildren) endGroup(child.pid);
    });
    child.once("close", (exitCode, ended) => {
      if (ended !== null) fault ??= `${ended} ended it`;
      end(fault === undefined ? exitCode : null);
    });
    if (signal?.aborted) abort();
  });
}

// Most failures are reported later, some are thrown, such as an environment that is too large.
function start(
  program: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
): ChildProcessWithoutNullStreams | string {
  try {
    return spawn(program, args, { ...options, detached: true });
  } catch (error) {
    return toErrorMessage(error);
  }
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on("data", (part: Buffer) => {
    if (size < maxBytes) parts.push(part.subarray(0, maxBytes - size));
    size += part.length;
  });
  return () => Buffer.concat(parts).toString();
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
