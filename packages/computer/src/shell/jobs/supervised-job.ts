import type { Job, JobWait, RunningProcess } from "@haft/contract";
import type { Launched } from "../../broker/broker-connection.ts";
import type { TailBytes } from "../tail-bytes.ts";
import type { JobBytes, OutputRequest } from "./job-messages.ts";

/** How a job ended. */
export type JobEnd = Omit<Job, "id" | "command" | "cwd" | "state" | "startedAt" | "processes">;

/** What a job consists of. */
export interface JobOptions {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** In milliseconds since the epoch. Default: now. */
  readonly startedAt?: number;
  readonly launched: Pick<Launched, "look" | "kill" | "keepAlive">;
  /** The last part of its output. */
  readonly printed: TailBytes;
  /** Whether what it changes can be undone, if that is known before it ends. */
  readonly reversible?: boolean;
  /** Resolves when all of it is over; never rejects. */
  readonly end: Promise<JobEnd>;
}

/** How much of a job's output is kept. */
export const keptBytes: number = 1024 * 1024;

/** A background command, from its start until after its end. */
export class SupervisedJob {
  readonly id: string;
  /** Resolves when all of it is over; never rejects. */
  readonly ended: Promise<void>;
  readonly #parts: JobOptions;
  readonly #startedAt: number;
  readonly #waiting = new Set<() => void>();
  #isStopped = false;
  #end: JobEnd | undefined;

  constructor(parts: JobOptions) {
    this.id = parts.id;
    this.#parts = parts;
    this.#startedAt = parts.startedAt ?? Date.now();
    this.ended = this.#follow();
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  describe(processes: readonly RunningProcess[] = []): Job {
    const { id, command, cwd, reversible } = this.#parts;
    const state = this.isRunning ? "running" : "ended";
    const known = reversible === undefined ? {} : { reversible };
    const startedAt = this.#startedAt;
    return { id, command, cwd, state, startedAt, processes, ...known, ...this.#end };
  }

  /** The same, with the processes that run now. */
  async look(): Promise<Job> {
    if (!this.isRunning) return this.describe();
    const { processes } = await this.#parts.launched.look();
    return this.describe(this.isRunning ? processes : []);
  }

  /** Its output from a byte on, after what the request waits for or the signal. */
  async output({ since, wait }: OutputRequest, signal?: AbortSignal): Promise<JobBytes> {
    if (wait !== undefined) await this.#wait(since, wait, signal);
    const job = await this.look();
    const { printed } = this.#parts;
    const bytes = printed.last(Math.max(0, printed.takenBytes - since));
    return { job, base64: bytes.toString("base64"), from: printed.takenBytes - bytes.length };
  }

  /** Call whenever it has printed something. */
  wake(): void {
    for (const resume of this.#waiting) resume();
  }

  async stop(): Promise<void> {
    const { launched } = this.#parts;
    launched.keepAlive(true);
    this.#isStopped ||= this.isRunning;
    if (this.isRunning) launched.kill();
    await this.ended;
  }

  async #follow(): Promise<void> {
    const { exitCode, ...end } = await this.#parts.end;
    const code = exitCode === undefined ? {} : { exitCode };
    this.#end = this.#isStopped ? { ...end, signal: "SIGKILL" } : { ...end, ...code };
    this.wake();
  }

  async #wait(since: number, { until, maxMs }: JobWait, signal?: AbortSignal): Promise<void> {
    const isOver = (): boolean =>
      !this.isRunning || (until === "output" && this.#parts.printed.takenBytes > since);
    if (isOver() || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const resume = (): void => {
      if (isOver()) resolve();
    };
    const timer = setTimeout(resolve, maxMs);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    this.#waiting.add(resume);
    await promise;
    this.#waiting.delete(resume);
    clearTimeout(timer);
  }
}
