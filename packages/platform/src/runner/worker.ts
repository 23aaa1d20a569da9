import { toErrorMessage } from "@haft/contract/internal";
import { isBeginning, isResult, isWaitList } from "./check-journal.ts";
import { explainDeath } from "./explain-death.ts";
import type { Job } from "./job.ts";
import type { RunJournal } from "./run-journal.ts";
import { steadyNow } from "./steady-clock.ts";
import type {
  Ending,
  Failure,
  JournalMessage,
  LoadMessage,
  WorkerMessage,
} from "./worker-messages.ts";
import type { WorkerProcess } from "./worker-process.ts";

const leaseMs = 50;

/** Receives the events of a worker. */
export interface WorkerOwner {
  /** A job has ended after `ms` milliseconds, without those that it waited for the processor. */
  onFinished(worker: Worker, ms: number): void;
  /** These jobs were not begun and need another worker. */
  onReturned(worker: Worker, jobs: readonly Job[]): void;
  /** The worker has jobs to be flushed. */
  onUnwritten(worker: Worker): void;
}

/** A sandbox with its jobs. It runs them one after the other, in the order it got them. */
export class Worker {
  /** Its jobs. Only the first may have begun: a worker answers each before it begins the next. */
  readonly jobs: Job[] = [];
  readonly bornAt: number = steadyNow();
  readonly memoryMb: number;
  idleSince: number = this.bornAt;
  calls = 0;
  residentMb = 0;
  /** Whether it has its code and can take jobs. */
  isLoaded = false;
  /** Whether it gets no more jobs. */
  isRetired = false;
  /** Whether it is being stopped. */
  isEnding = false;
  readonly #process: WorkerProcess;
  readonly #owner: WorkerOwner;
  #unwritten: Job[] = [];
  #config: Readonly<Record<string, string>> | undefined;
  /**
   * How to fail the first job, if the worker is stopped for a reason other than the tool's exit.
   */
  #verdict: { readonly job: Job | undefined; fail(job: Job): void } | undefined;

  constructor(process: WorkerProcess, owner: WorkerOwner, memoryMb: number) {
    this.#process = process;
    this.#owner = owner;
    this.memoryMb = memoryMb;
  }

  get isOpen(): boolean {
    return this.isLoaded && !this.isRetired;
  }

  /** Loads a tool's packed code for good. */
  load(artifact: Uint8Array, rest: Omit<LoadMessage, "kind" | "artifact">): void {
    const start = JSON.stringify({ kind: "load", ...rest }).slice(0, -1);
    this.#process.write(`${start},"artifact":${toLine(artifact)}}\n`);
    this.isLoaded = true;
  }

  give(job: Job): void {
    this.calls += 1;
    job.number = this.calls;
    job.startedAt = steadyNow();
    // Clear the lease of an earlier worker. The new one is set when the job is written.
    job.lease = undefined;
    this.jobs.push(job);
    this.#unwritten.push(job);
    // An idle worker begins at once. Jobs for a busy one are written together.
    if (this.jobs.length === 1) this.flush();
    else this.#owner.onUnwritten(this);
  }

  /** Writes the jobs that were given since the last flush. */
  flush(): void {
    let lines = "";
    for (const job of this.#unwritten) {
      const now = steadyNow();
      job.startedAt = now;
      // Only queued jobs have a lease: the first may begin at any time.
      job.lease = job === this.jobs[0] ? undefined : now + leaseMs;
      const { config } = job.run;
      lines += `${JSON.stringify(job.toMessage(config !== this.#config))}\n`;
      this.#config = config;
    }
    this.#unwritten = [];
    if (lines !== "") this.#process.write(lines);
  }

  /**
   * Takes back jobs with an expired lease. All messages sent until `at` must have been received:
   * had the worker begun one of these in time, it would have answered the first job before that.
   */
  takeBackExpired(at: number): void {
    if (this.isEnding) return;
    const expired = this.jobs.slice(1).filter(({ lease }) => lease !== undefined && lease <= at);
    for (const job of expired) this.jobs.splice(this.jobs.indexOf(job), 1);
    if (expired.length > 0) this.#owner.onReturned(this, expired);
  }

  hear(message: WorkerMessage): void {
    switch (message.kind) {
      case "log":
        this.#print(message);
        break;
      case "status":
        this.#find(message.number)?.tellStatus(message.event);
        break;
      case "result":
        if (isText(message.output)) {
          this.#finish(message, (job, ms) => job.succeed(message.output, ms));
        } else this.#distrust();
        break;
      case "failure":
        if (isFailure(message.failure)) {
          this.#finish(message, (job, ms) => job.throwFrom(message.failure, ms));
        } else this.#distrust();
        break;
      case "step-begin":
        if (isBeginning(message)) {
          this.#record(message, async (journal) => {
            await journal.begin(message);
            return {};
          });
        } else this.#distrust();
        break;
      case "step-end":
        if (isResult(message.result) && Number.isSafeInteger(message.position)) {
          this.#record(message, async (journal) => ({
            result: await journal.end(message.position, message.result),
          }));
        } else this.#distrust();
        break;
      case "suspended":
        if (isWaitList(message.waits) && this.#hasRoom(message.number, message.waits)) {
          this.#finish(message, (job, ms) => job.suspend(message.waits, ms));
        } else this.#distrust();
        break;
      case "returned":
        this.#takeBack(message.number);
        break;
      case "unclean":
        this.#giveUp();
    }
  }

  /** Logs output that bypassed the worker, such as that of a process that the tool started. */
  hearPrinted(text: string): void {
    this.jobs[0]?.print("stderr", text);
  }

  /** Stops it with everything that runs in it. The first job fails, the others are returned. */
  end(verdict?: { readonly job: Job | undefined; fail(job: Job): void }): Promise<void> {
    this.isRetired = true;
    this.isEnding = true;
    this.#verdict ??= verdict;
    return this.#process.stop();
  }

  /** Waits for the process to end, then settles the remaining jobs. */
  async untilEnded(): Promise<void> {
    const end = await this.#process.ended;
    this.isRetired = true;
    this.isEnding = true;
    const [first, ...others] = this.jobs.splice(0);
    if (others.length > 0) this.#owner.onReturned(this, others);
    if (first === undefined) return;
    if (this.#verdict !== undefined && (this.#verdict.job ?? first) === first) {
      this.#verdict.fail(first);
    } else if (end.exitCode === undefined && end.signal === undefined && first.run.journal) {
      // Not the tool but its sandbox failed, so it can continue in another.
      first.interrupt(explainDeath(end, this.memoryMb));
    } else first.fail("WorkerDied", explainDeath(end, this.memoryMb));
  }

  #print({ number, stream, text, skipped = 0 }: Extract<WorkerMessage, { kind: "log" }>): void {
    const isRight = isText(text) && Number.isSafeInteger(skipped) && skipped >= 0;
    if (isRight)
      this.#find(number)?.print(stream === "stdout" ? "stdout" : "stderr", text, skipped);
  }

  /** Returns whether the journal of the running job has room for these calls. A worker knows the limit. */
  #hasRoom(number: number, calls: readonly { readonly position: number }[]): boolean {
    const { maxSteps = 0 } = this.#find(number)?.run.journal?.limits ?? {};
    return calls.every(({ position }) => position < maxSteps);
  }

  /** Records something in the journal of the running job, and tells the worker. */
  #record(
    { number, position }: { readonly number: number; readonly position: number },
    write: (journal: RunJournal) => Promise<Pick<JournalMessage, "result">>,
  ): void {
    const job = this.#find(number);
    const journal = job?.run.journal;
    if (job === undefined || journal === undefined || !this.#hasRoom(number, [{ position }])) {
      // A cancelled job is no longer of interest.
      if (job !== undefined) this.#distrust();
      return;
    }
    write(journal).then(
      (recorded) => {
        const reply: JournalMessage = { kind: "journal", number, position, ...recorded };
        if (!this.isEnding) this.#process.write(`${JSON.stringify(reply)}\n`);
      },
      (error: unknown) => {
        job.interrupt(`The invocation can't go on: ${toErrorMessage(error)}`);
        void this.end();
      },
    );
  }

  #find(number: number): Job | undefined {
    const [first] = this.jobs;
    return first?.number === number ? first : undefined;
  }

  #finish(
    { number, ms, delayMs = 0, residentMb }: { readonly number: number } & Ending,
    settle: (job: Job, ms: number) => void,
  ): void {
    const job = this.#find(number);
    if (job === undefined || typeof ms !== "number" || typeof delayMs !== "number") {
      this.#distrust();
      return;
    }
    this.jobs.shift();
    if (residentMb !== undefined) this.residentMb = Number(residentMb);
    const now = steadyNow();
    const [next] = this.jobs;
    if (next === undefined) this.idleSince = now;
    else next.startedAt = now;
    settle(job, ms);
    this.#owner.onFinished(this, Math.max(ms - delayMs, 0));
  }

  #takeBack(number: number): void {
    const index = this.jobs.findIndex((job) => job.number === number);
    // The worker may return a job that was already taken back.
    if (index < 0) return;
    const [job] = this.jobs.splice(index, 1);
    const [next] = this.jobs;
    if (index === 0 && next !== undefined) next.startedAt = steadyNow();
    if (job !== undefined) this.#owner.onReturned(this, [job]);
  }

  #giveUp(): void {
    this.isRetired = true;
    const left = this.jobs.splice(0);
    this.#unwritten = [];
    if (left.length > 0) this.#owner.onReturned(this, left);
    void this.end();
  }

  // The token is right but the message is invalid: the tool has tampered with its worker.
  #distrust(): void {
    const [first] = this.jobs;
    void this.end({
      job: first,
      fail: (job) =>
        job.fail("WorkerDied", "The tool tampered with its own sandbox and was stopped."),
    });
  }
}

// Packed artifacts are one line of JSON. Parsing and serialising them again would take far longer.
function toLine(artifact: Uint8Array): string {
  const text = Buffer.from(artifact.buffer, artifact.byteOffset, artifact.byteLength).toString();
  return text.includes("\n") ? JSON.stringify(JSON.parse(text)) : text;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFailure(value: Failure): boolean {
  const { type, message, stack } = value ?? {};
  return isText(type) && isText(message) && Array.isArray(stack) && stack.every(isText);
}
