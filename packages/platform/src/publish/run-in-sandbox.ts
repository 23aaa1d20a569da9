import { StringDecoder } from "node:string_decoder";
import type { DiskComputer, ProgramStart } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { Problem } from "../problem.ts";
import { createHeadAndTail } from "./head-and-tail.ts";

/** What programs of a build run on. */
export type BuildComputer = Pick<DiskComputer, "startProgram" | "examineSandbox">;

/** A program that comes to its end by itself, or is stopped. */
export interface SandboxedProgram
  extends Pick<ProgramStart, "argv" | "cwd" | "environment" | "reads" | "writes" | "hosts"> {
  readonly timeoutMs: number;
  /** It is stopped when it has printed more. */
  readonly mostPrintedBytes: number;
  /** Takes each line that it prints, cut if it is long. */
  onLine?(line: string): void;
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export interface SandboxedEnd {
  readonly exitCode: number | undefined;
  /** Why it was stopped, if it was. */
  readonly stopped: "timeout" | "printed-too-much" | "cancelled" | undefined;
  /** What it printed, the middle left out if it is much. */
  readonly output: string;
  /** The hosts that it tried to reach and may not. */
  readonly refusedHosts: readonly string[];
}

// What a build needs, and not what a machine has.
const limits = { processes: 256, fileBytes: 512 * 1024 * 1024 };
const mostKept = 200_000;
const mostLine = 2_000;

/** Runs a program in the sandbox to its end. Throws a `Problem` 503 if there is no sandbox. */
export async function runInSandbox(
  computer: BuildComputer,
  program: SandboxedProgram,
): Promise<SandboxedEnd> {
  program.signal?.throwIfAborted();
  const kept = createHeadAndTail(mostKept);
  let stopped: SandboxedEnd["stopped"];
  let printed = 0;
  let stop = (_why: NonNullable<SandboxedEnd["stopped"]>): void => {};
  const read = (): ((bytes: Uint8Array) => undefined) => {
    const lines = createLines((line) => program.onLine?.(line));
    const decoder = new StringDecoder("utf8");
    ends.push(() => lines.end());
    return (bytes) => {
      printed += bytes.length;
      if (printed > program.mostPrintedBytes) stop("printed-too-much");
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
  const { argv, cwd, environment, reads, writes, hosts, onOutput, onErrors } = program;
  try {
    return await computer.startProgram({
      ...{ argv, onOutput, onErrors, limits, sandbox: "required", isUntrusted: true },
      ...(cwd !== undefined && { cwd }),
      ...(environment !== undefined && { environment }),
      ...(reads !== undefined && { reads }),
      ...(writes !== undefined && { writes }),
      ...(hosts !== undefined && { hosts }),
    });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "unavailable") throw error;
    const { isolation, reason, remedy } = await computer.examineSandbox();
    if (isolation === "sandbox") throw error;
    throw new Problem(
      503,
      `Tools are built in a sandbox only, and this server has none: ${reason}. ${remedy}`,
    );
  }
}

function createLines(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = "";
  const give = (line: string): void => onLine(line.replace(/\r$/u, "").slice(0, mostLine));
  return {
    add: (text) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(0, mostLine);
      for (const line of lines) give(line);
    },
    end: () => {
      if (rest !== "") give(rest);
      rest = "";
    },
  };
}
