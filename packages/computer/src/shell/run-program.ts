import { type ProgramResult, ToolError } from "@haft/contract";
import type { Confiner, RunRequest } from "./confine-run.ts";
import { requireUnstopped, stopError } from "./run-stop.ts";
import { superviseRun } from "./supervise-run.ts";

/** A program that was found, and how it is to run. */
export interface Program {
  /** Its name, for messages. */
  readonly name: string;
  readonly request: RunRequest;
  readonly confiner: Confiner;
  readonly input: Uint8Array | string | undefined;
  readonly maxOutputBytes: number;
  /** Is told what was taken away again. */
  warn(message: string): void;
}

/** Runs a program to its end. When it is to stop, all that it started ends with it. */
export async function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  const { name, request, confiner, input, maxOutputBytes } = program;
  requireUnstopped(signal, name);
  const ready = await confiner.prepare(request);
  const tooMuch = new AbortController();
  const collected = collect(maxOutputBytes, () => tooMuch.abort(printedTooMuch(program)));
  try {
    const { end, stop } = await superviseRun(
      {
        plan: ready.plan,
        broker: confiner.broker,
        streams: { ...collected.streams, ...(input !== undefined && { input }) },
      },
      { signal: AbortSignal.any([signal, tooMuch.signal]) },
    );
    if (stop !== undefined) throw stopError(stop, { what: name });
    return { exitCode: end.exitCode, ...collected.result() };
  } finally {
    for (const note of await ready.settle()) program.warn(note);
    await ready.close();
  }
}

interface Collected {
  readonly streams: {
    readonly output: (bytes: Buffer) => undefined;
    readonly errors: (bytes: Buffer) => undefined;
  };
  result(): Pick<ProgramResult, "stdout" | "stderr">;
}

function collect(mostBytes: number, onTooMuch: () => void): Collected {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  const keep = (chunks: Buffer[]) => (bytes: Buffer) => {
    size += bytes.length;
    if (size > mostBytes) onTooMuch();
    // The bytes are only lent.
    else chunks.push(Buffer.from(bytes));
    return undefined;
  };
  return {
    streams: { output: keep(stdout), errors: keep(stderr) },
    result: () => ({
      stdout: new Uint8Array(Buffer.concat(stdout)),
      stderr: Buffer.concat(stderr).toString("utf8"),
    }),
  };
}

function printedTooMuch({ name, maxOutputBytes }: Program): ToolError {
  return new ToolError(
    "too-large",
    `${name} was stopped: it printed more than ${maxOutputBytes} bytes.`,
  );
}
