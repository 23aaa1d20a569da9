import { randomInt } from "node:crypto";
import type { CommandResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { RunScope } from "@haft/core";
import type { Launched } from "../../broker/broker-connection.ts";
import { TailBytes } from "../tail-bytes.ts";
import { type JobEnd, keptBytes, SupervisedJob } from "./supervised-job.ts";

/** A command that may go on as a job. */
export interface DetachableCommand {
  readonly command: string;
  readonly cwd: string;
  /** Takes it over as a job; `false` if that is not possible. */
  adopt(job: SupervisedJob): boolean;
  /** Its result once it has ended. */
  end(): Promise<CommandResult>;
  /** Called when it has become a job. */
  onDetached(jobId: string): void;
}

/** Lets a command go on as a job of its session when it reaches its time limit. */
export class Detachment {
  readonly #command: DetachableCommand;
  readonly #scope: RunScope;
  readonly #printed = new TailBytes(keptBytes);
  readonly #startedAt = Date.now();
  #job: SupervisedJob | undefined;
  #isDiscarded = false;

  constructor(command: DetachableCommand, scope: RunScope) {
    this.#command = command;
    this.#scope = scope;
  }

  /** Whether what it wrote must not be applied, because its session has ended. */
  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** Takes the command's output. */
  take(bytes: Buffer): void {
    this.#printed.add(bytes);
    this.#job?.wake();
  }

  /** Makes a job of the command. `false` if it has to be stopped instead. */
  detach(launched: Launched): boolean {
    const { command, cwd, adopt, end, onDetached } = this.#command;
    const id = `cmd-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join("")}`;
    const job = new SupervisedJob({
      ...{ id, command, cwd, launched, printed: this.#printed, startedAt: this.#startedAt },
      end: end().then(toJobEnd, (error: unknown) => ({ reason: toErrorMessage(error) })),
    });
    if (!adopt(job)) return false;
    this.#job = job;
    launched.keepAlive(false);
    this.#scope.outlive({
      id,
      command,
      ended: job.ended,
      discard: () => {
        this.#isDiscarded = true;
        return job.stop();
      },
    });
    void job.ended.then(() => this.#scope.jobEnded(job.describe()));
    onDetached(id);
    return true;
  }
}

// Random: the model may remember the jobs of an earlier process.
const letters = "abcdefghijkmnpqrstuvwxyz23456789";

function toJobEnd(result: CommandResult): JobEnd {
  const { exitCode, signal, waitedAt, leftRunning, refusedHosts, changes, discarded } = result;
  const left = leftRunning.map(({ command }) => command).join(", ");
  const notes = [
    ...(waitedAt === undefined
      ? []
      : [`It was stopped: it waited for input at ${JSON.stringify(waitedAt)}.`]),
    ...(left === "" ? [] : [`Processes that it left running were stopped: ${left}`]),
    ...refusedHosts.map((host) => `The connection to ${host} was refused.`),
    ...(discarded?.error === undefined ? [] : [discarded.error.message]),
    ...result.notes,
  ];
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    reversible: changes?.every(({ undoable }) => undoable) ?? false,
    ...(changes !== undefined && { changes }),
    ...(notes.length > 0 && { notes }),
  };
}
