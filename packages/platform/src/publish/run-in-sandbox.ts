import { StringDecoder } from "node:string_decoder";
import type { DiskComputer, ProgramStart } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { Problem } from "../problem.ts";
import { createBoundedLog } from "./bounded-log.ts";

/** The computer that runs the programs of a build. */
export type BuildComputer = Pick<DiskComputer, "startProgram" | "examineSandbox">;

/** A program that runs until it ends or is stopped. */
export interface SandboxedProgram
  extends Pick<
    ProgramStart,
    "argv" | "cwd" | "environment" | "reads" | "hides" | "writes" | "hosts"
  > {
  readonly timeoutMs: number;
  /** The program is stopped when it prints more. */
  readonly maxPrintedBytes: number;
  /** Receives each line of output, clipped if it is long. */
  onLine?(line: string): void;
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface SandboxedEnd {
  readonly exitCode: number | undefined;
  /** Why it was stopped; `undefined` if it ended by itself. */
  readonly stopped: "timeout" | "printed-too-much" | "cancelled" | undefined;
  /** The output. The middle is left out if it is long. */
  readonly output: string;
  /** Hosts that it tried to reach without permission. */
  readonly refusedHosts: readonly string[];
}

// Enough for a build, and less than would harm the machine.
const limits = { processes: 256, fileBytes: 512 * 1024 * 1024 };
const maxKeptBytes = 200_000;
const maxLineLength = 2_000;

/** Runs a program in the sandbox until it ends. Throws a `Problem` 503 if there is no sandbox. */
export async function runInSandbox(
  computer: BuildComputer,
  program: SandboxedProgram,
): Promise<SandboxedEnd> {
  program.signal?.throwIfAborted();
  const kept = createBoundedLog(maxKeptBytes);
  let stopped: SandboxedEnd["stopped"];
  let printed = 0;
  let stop = (_why: NonNullable<SandboxedEnd["stopped"]>): void => {};
  const read = (): ((bytes: Uint8Array) => undefined) => {
    const lines = createLines((line) => program.onLine?.(line));
    const decoder = new StringDecoder("utf8");
    ends.push(() => lines.end());
    return (bytes) => {
      printed += bytes.length;
      if (printed > program.maxPrintedBytes) stop("printed-too-much");
      const text = decoder.write(Buffer.from(bytes));
      kept.add(text);
      lines.add(text);
      return undefined;
    };
  };
  const ends: (() => void)[] = [];
  const started = await start(computer, { ...program, onOutput: read(), onErrors: read() });
  stop = (why) => {
    stopped ??= why;
    void started.stop();
  };
  const cancel = (): void => stop("cancelled");
  const timer = setTimeout(() => stop("timeout"), program.timeoutMs);
  program.signal?.addEventListener("abort", cancel, { once: true });
  started.keepAlive(true);
  started.endInput();
  try {
    const { exitCode } = await started.ended;
    for (const end of ends) end();
    return { exitCode, stopped, output: kept.text(), refusedHosts: started.refusedHosts() };
  } finally {
    clearTimeout(timer);
    program.signal?.removeEventListener("abort", cancel);
  }
}

async function start(
  computer: BuildComputer,
  program: SandboxedProgram & Pick<ProgramStart, "onOutput" | "onErrors">,
): ReturnType<BuildComputer["startProgram"]> {
  const { argv, cwd, environment, reads, hides, writes, hosts, onOutput, onErrors } = program;
  try {
    return await computer.startProgram({
      ...{ argv, onOutput, onErrors, limits, sandbox: "required", isUntrusted: true },
      ...(cwd !== undefined && { cwd }),
      ...(environment !== undefined && { environment }),
      ...(reads !== undefined && { reads }),
      ...(hides !== undefined && { hides }),
      ...(writes !== undefined && { writes }),
      ...(hosts !== undefined && { hosts }),
    });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "unavailable") throw error;
    const { isolation, reason, remedy } = await computer.examineSandbox();
    if (isolation === "sandbox") throw error;
    throw new Problem(
      503,
      `This server can't build tools, because it has no sandbox: ${reason}. ${remedy}`,
    );
  }
}

function createLines(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = "";
  const give = (line: string): void => onLine(line.replace(/\r$/u, "").slice(0, maxLineLength));
  return {
    add: (text) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(0, maxLineLength);
      for (const line of lines) give(line);
    },
    end: () => {
      if (rest !== "") give(rest);
      rest = "";
    },
  };
}
