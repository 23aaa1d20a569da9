import { type ProgramResult, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { LayeredRun } from "../layers/run-on-layer.ts";
import type { Confiner, RunRequest } from "./confine-run.ts";
import { requireUnstopped, stopError } from "./run-stop.ts";
import { superviseRun } from "./supervise-run.ts";

/** A program that was found, and how to run it. */
export interface Program {
  /** Its name, for messages. */
  readonly name: string;
  readonly request: RunRequest;
  readonly confiner: Confiner;
  readonly input: Uint8Array | string | undefined;
  readonly maxOutputBytes: number;
  /** The layer that it runs on. Default: it runs on the workspace itself. */
  readonly layered: LayeredRun | undefined;
  /** Whether its changes count as changes of the call. */
  readonly isReported: boolean;
}

/** Runs a program to its end. When it is stopped, everything that it started ends with it. */
export async function runProgram(program: Program, scope: RunScope): Promise<ProgramResult> {
  const { name, confiner, input, maxOutputBytes } = program;
  const { signal } = scope;
  requireUnstopped(signal, name);
  const ready = await confiner.prepare(program.request);
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
    // Even a program that was stopped may have left something behind.
    await apply(program, scope).finally(async () => {
      for (const note of await ready.settle()) scope.warn(note);
      await ready.close();
    });
  }
}

async function apply({ layered, isReported }: Program, scope: RunScope): Promise<void> {
  const applied = await layered?.apply();
  if (isReported) scope.commandEnded(applied?.changes);
  for (const note of applied?.notes ?? []) scope.warn(note);
}

interface Collected {
  readonly streams: {
    readonly output: (bytes: Buffer) => undefined;
    readonly errors: (bytes: Buffer) => undefined;
  };
  result(): Pick<ProgramResult, "stdout" | "stderr">;
}

function collect(maxBytes: number, onTooMuch: () => void): Collected {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  const keep = (chunks: Buffer[]) => (bytes: Buffer) => {
    size += bytes.length;
    if (size > maxBytes) onTooMuch();
    // The bytes are valid during the call only.
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
