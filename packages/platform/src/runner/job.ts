import { isTextNestedDeeper } from "@haft/core/internal";
import { type OnPrint, OutputLog, type PrintedStream } from "./printed-output.ts";
import type { Wait } from "./run-journal.ts";
import {
  maxOutputCharacters,
  type ToolProgram,
  type ToolRun,
  type ToolRunResult,
} from "./runner.ts";
import { steadyNow } from "./steady-clock.ts";
import type { Failure, RunMessage } from "./worker-messages.ts";

const maxStatusEvents = 100;
const maxStatusCharacters = 16 * 1024;

/** Receives the events of a job. */
export interface JobListener {
  onSettled(result: ToolRunResult): void;
  readonly onPrint: OnPrint | undefined;
}

/** One invocation, waiting or given to a worker. */
export class Job {
  readonly program: ToolProgram;
  readonly run: ToolRun;
  /** On the steady clock, like all times here. */
  readonly queuedAt: number;
  /** Its number among the invocations of its worker. */
  number = 0;
  /** The time until which its worker may begin it, if it is queued behind others there. */
  lease: number | undefined;
  /** The earliest time at which it may have begun. */
  startedAt = 0;
  /** Whether it has its result, even if its worker is still busy with it. */
  isSettled = false;
  #log: OutputLog | undefined;
  readonly #listener: JobListener;
  #statusLeft = maxStatusEvents;

  constructor(
    { program, run, queuedAt }: Pick<Job, "program" | "run" | "queuedAt">,
    listener: JobListener,
  ) {
    this.program = program;
    this.run = run;
    this.queuedAt = queuedAt;
    this.#listener = listener;
  }

  /**
   * Returns the message for a worker. `config` is included only if it changed since the last job.
   */
  toMessage(withConfig: boolean): RunMessage {
    const { run, program, number, lease } = this;
    const { userVariables, sensitiveUserVariables, conversation, journal } = run;
    return {
      kind: "run",
      number,
      ...(lease !== undefined && { lease }),
      invocationId: run.invocationId,
      toolVersion: program.version,
      mode: run.mode,
      input: run.input,
      ...(withConfig && { config: run.config }),
      ...(conversation !== null && { conversation }),
      ...(hasSome(userVariables) && { userVariables }),
      ...(hasSome(sensitiveUserVariables) && { sensitiveUserVariables }),
      ...(journal !== undefined && {
        journal: { entries: journal.entries, limits: journal.limits },
      }),
    };
  }

  /** Keeps what the tool printed. `skipped` is the number of characters left out before it. */
  print(stream: PrintedStream, text: string, skipped = 0): void {
    if (this.isSettled || (text === "" && skipped === 0)) return;
    if (this.#log === undefined) {
      const { secrets = [], sensitiveUserVariables } = this.run;
      const log = new OutputLog([...Object.values(sensitiveUserVariables), ...secrets]);
      this.#log = log;
      const read = () => (this.isSettled ? undefined : log.read(false));
      this.#listener.onPrint?.(this.run.invocationId, read);
    }
    this.#log.add(stream, text, skipped);
  }

  tellStatus(event: unknown): void {
    if (this.isSettled || this.#statusLeft <= 0 || this.run.onStatus === undefined) return;
    this.#statusLeft -= 1;
    const text = writeEvent(event);
    if (text === undefined || text.length > maxStatusCharacters || isTextNestedDeeper(text)) return;
    this.run.onStatus(event);
  }

  succeed(output: string, durationMs: number): void {
    const isLong =
      output.length > maxOutputCharacters && Array.from(output).length > maxOutputCharacters;
    if (!isLong) this.#end({ succeeded: true, output: output.toWellFormed(), durationMs });
    else
      this.fail(
        "OutputTooLarge",
        `The output has more than ${maxOutputCharacters} characters. Return less.`,
      );
  }

  /** Settles it with an exception of the tool. */
  throwFrom({ type, message, stack }: Failure, durationMs: number): void {
    this.#end({
      succeeded: false,
      exceptionType: type.toWellFormed(),
      exceptionMessage: message.toWellFormed(),
      exceptionStackTrace: stack.map((line) => line.toWellFormed()),
      durationMs,
    });
  }

  /** Settles it because the tool waits. */
  suspend(waits: readonly Wait[], durationMs: number): void {
    this.#end({ ...toFailure("Suspended", "The tool waits."), durationMs, waits });
  }

  /** Settles it because it can't go on here, for no fault of the tool. */
  interrupt(message: string): void {
    const hasBegun = this.startedAt > 0;
    this.#end({
      ...toFailure("WorkerDied", message),
      durationMs: hasBegun ? steadyNow() - this.startedAt : 0,
      isInterrupted: true,
      ...(!hasBegun && { hasNotBegun: true }),
    });
  }

  /** Settles it with an error of the platform. */
  fail(type: "Timeout" | "WorkerDied" | "Cancelled" | "OutputTooLarge", message: string): void {
    const durationMs = this.startedAt === 0 ? 0 : steadyNow() - this.startedAt;
    this.throwFrom({ type, message, stack: [] }, durationMs);
  }

  #end(result: ToolRunResult): void {
    if (this.isSettled) return;
    this.isSettled = true;
    const printed = this.#log?.read(true);
    this.#listener.onSettled(printed === undefined ? result : { ...result, printed });
  }
}

function toFailure(
  exceptionType: string,
  exceptionMessage: string,
): { succeeded: false; exceptionType: string; exceptionMessage: string; exceptionStackTrace: [] } {
  return { succeeded: false, exceptionType, exceptionMessage, exceptionStackTrace: [] };
}

// A worker may send no event, or one that is nested too deeply to serialise.
function writeEvent(event: unknown): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    return undefined;
  }
}

function hasSome(variables: Readonly<Record<string, string>>): boolean {
  for (const _ in variables) return true;
  return false;
}
