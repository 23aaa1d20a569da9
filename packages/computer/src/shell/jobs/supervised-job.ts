import type { Job, RunningProcess } from "@haft/contract";
import type { Launched } from "../../broker/broker-connection.ts";
import type { LaunchEnd } from "../../broker/messages.ts";
import type { ReadyRun } from "../confine-run.ts";
import type { TailBytes } from "../tail-bytes.ts";
import type { JobBytes } from "./job-messages.ts";

/** What a job is made of. */
export interface JobParts {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly launched: Launched;
  readonly ready: ReadyRun;
  /** What it printed last. */
  readonly printed: TailBytes;
}

/** A background command, from its start to its end and after. */
export class SupervisedJob {
  readonly id: string;
  /** All of it is over; never rejects. */
  readonly ended: Promise<void>;
  readonly #parts: JobParts;
  readonly #startedAt: number = Date.now();
  #isStopped = false;
  #end: Pick<Job, "exitCode" | "signal" | "reason"> | undefined;

  constructor(parts: JobParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.ended = this.#follow();
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  describe(processes: readonly RunningProcess[] = []): Job {
    const { id, command, cwd } = this.#parts;
    const state = this.isRunning ? "running" : "ended";
    return { id, command, cwd, state, startedAt: this.#startedAt, processes, ...this.#end };
  }

  /** The same with what runs in it now. */
  async look(): Promise<Job> {
    if (!this.isRunning) return this.describe();
    const { processes } = await this.#parts.launched.look();
    return this.describe(this.isRunning ? processes : []);
  }

  async output(since: number): Promise<JobBytes> {
    const job = await this.look();
    const { printed } = this.#parts;
    const bytes = printed.last(Math.max(0, printed.takenBytes - since));
    return { job, base64: bytes.toString("base64"), from: printed.takenBytes - bytes.length };
  }

  async stop(): Promise<void> {
    const { launched } = this.#parts;
    launched.keepAlive(true);
    this.#isStopped ||= this.isRunning;
    if (this.isRunning) launched.kill();
    await this.ended;
  }

  async #follow(): Promise<void> {
    const { launched, ready, printed } = this.#parts;
    const end = await launched.ended.then(describeEnd, (error: Error) => ({
      reason: error.message,
    }));
    const notes = await ready.settle().catch((error: Error) => [error.message]);
    for (const note of notes) printed.add(Buffer.from(`\n[${note}]\n`));
    await ready.close();
    this.#end = this.#isStopped ? { signal: "SIGKILL" } : end;
  }
}

function describeEnd({ exitCode, signal }: LaunchEnd): Pick<Job, "exitCode" | "signal"> {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  };
}
