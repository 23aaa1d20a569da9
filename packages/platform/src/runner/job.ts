import { JobLog } from "./job-log.ts";
import {
  mostOutputCharacters,
  type ToolProgram,
  type ToolRun,
  type ToolRunResult,
} from "./runner.ts";
import { steadyNow } from "./steady-clock.ts";
import type { Failure, RunMessage } from "./worker-messages.ts";

const mostStatusEvents = 100;
const mostStatusCharacters = 16 * 1024;

/** One invocation on its way: waiting, or in the hands of a worker. */
export class Job {
  readonly program: ToolProgram;
  readonly run: ToolRun;
  /** On the steady clock, as all moments here. */
  readonly queuedAt: number;
  /** As its worker counts it. */
  number = 0;
  /** Until when its worker may begin it, if it has to wait for others there. */
  lease: number | undefined;
  /** When it may have begun at the earliest. */
  startedAt = 0;
  /** Whether it has its result already, whatever its worker still does. */
  isSettled = false;
  readonly #log: JobLog | undefined;
  readonly #settle: (result: ToolRunResult) => void;
  #statusLeft = mostStatusEvents;

  constructor(
    { program, run, queuedAt }: Pick<Job, "program" | "run" | "queuedAt">,
    settle: (result: ToolRunResult) => void,
  ) {
    this.program = program;
    this.run = run;
    this.queuedAt = queuedAt;
    this.#log = run.onLog === undefined ? undefined : new JobLog(run);
    this.#settle = settle;
  }

  /** What a worker is told of it; `config` only if it is another than the last time. */
  toMessage(withConfig: boolean): RunMessage {
    const { run, program, number, lease } = this;
    const { userVariables, sensitiveUserVariables, conversation } = run;
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
      ...(run.onLog === undefined && { isQuiet: true }),
    };
  }

  print(text: string): void {
    if (!this.isSettled) this.#log?.add(text);
  }

  tellStatus(event: unknown): void {
    if (this.isSettled || this.#statusLeft <= 0 || this.run.onStatus === undefined) return;
    this.#statusLeft -= 1;
    if (JSON.stringify(event).length <= mostStatusCharacters) this.run.onStatus(event);
  }

  succeed(output: string, durationMs: number): void {
    const isLong =
      output.length > mostOutputCharacters && Array.from(output).length > mostOutputCharacters;
    if (!isLong) this.#end({ succeeded: true, output: output.toWellFormed(), durationMs });
    else
      this.fail("OutputTooLarge", `The output has more than ${mostOutputCharacters} characters.`);
  }

  /** It ended by an exception of the tool's own. */
  throwFrom({ type, message, stack }: Failure, durationMs: number): void {
    this.#end({
      succeeded: false,
      exceptionType: type.toWellFormed(),
      exceptionMessage: message.toWellFormed(),
      exceptionStackTrace: stack.map((line) => line.toWellFormed()),
      durationMs,
    });
  }

  /** It ended otherwise. */
  fail(type: "Timeout" | "WorkerDied" | "Cancelled" | "OutputTooLarge", message: string): void {
    const durationMs = this.startedAt === 0 ? 0 : steadyNow() - this.startedAt;
    this.throwFrom({ type, message, stack: [] }, durationMs);
  }

  #end(result: ToolRunResult): void {
    if (this.isSettled) return;
    this.#log?.end();
    this.isSettled = true;
    this.#settle(result);
  }
}

function hasSome(variables: Readonly<Record<string, string>>): boolean {
  for (const _ in variables) return true;
  return false;
}
