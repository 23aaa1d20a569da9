import { explainDeath } from "./explain-death.ts";
import type { Job } from "./job.ts";
import { steadyNow } from "./steady-clock.ts";
import type { Failure, WorkerMessage } from "./worker-messages.ts";
import type { WorkerProcess } from "./worker-process.ts";

const leaseMs = 50;

/** Who is told what becomes of a worker. */
export interface WorkerOwner {
  /** An invocation has ended, after so many milliseconds. */
  onFinished(worker: Worker, ms: number): void;
  /** These were not begun, and have to go elsewhere. */
  onReturned(worker: Worker, jobs: readonly Job[]): void;
  /** There is something to be written. */
  onUnwritten(worker: Worker): void;
}

/** A sandbox with invocations in it. It runs them one after the other, in the order it got them. */
export class Worker {
  /** In its hands. Only the first of them may have begun: it answers in order, before it goes on. */
  readonly jobs: Job[] = [];
  readonly bornAt: number = steadyNow();
  readonly memoryMb: number;
  idleSince: number = this.bornAt;
  calls = 0;
  residentMb = 0;
  /** Whether it has its code, and nothing speaks against another invocation. */
  isLoaded = false;
  /** Whether it gets nothing more. */
  isRetired = false;
  /** Whether it is being ended. */
  isEnding = false;
  readonly #process: WorkerProcess;
  readonly #owner: WorkerOwner;
  #unwritten: Job[] = [];
  #config: Readonly<Record<string, string>> | undefined;
  /** Why the first is being ended, if it is not the tool's own doing. */
  #verdict: { readonly job: Job | undefined; fail(job: Job): void } | undefined;

  constructor(process: WorkerProcess, owner: WorkerOwner, memoryMb: number) {
    this.#process = process;
    this.#owner = owner;
    this.memoryMb = memoryMb;
  }

  get isOpen(): boolean {
    return this.isLoaded && !this.isRetired;
  }

  /** Gives it a tool's code, as packed, for good. */
  load(artifact: Uint8Array): void {
    this.#process.write(`{"kind":"load","artifact":${toLine(artifact)}}\n`);
    this.isLoaded = true;
  }

  give(job: Job): void {
    this.calls += 1;
    job.number = this.calls;
    job.startedAt = steadyNow();
    // It may have had one elsewhere. As long as it is not written it has none here.
    job.lease = undefined;
    this.jobs.push(job);
    this.#unwritten.push(job);
    // One that has nothing to do begins at once; what comes meanwhile is written together.
    if (this.jobs.length === 1) this.flush();
    else this.#owner.onUnwritten(this);
  }

  /** Writes what was given to it since the last time, at once. */
  flush(): void {
    let lines = "";
    for (const job of this.#unwritten) {
      const now = steadyNow();
      job.startedAt = now;
      // It is for what has to wait only: the first may be begun whenever the worker comes to it.
      job.lease = job === this.jobs[0] ? undefined : now + leaseMs;
      const { config } = job.run;
      lines += `${JSON.stringify(job.toMessage(config !== this.#config))}\n`;
      this.#config = config;
    }
    this.#unwritten = [];
    if (lines !== "") this.#process.write(lines);
  }

  /**
   * Takes back what it may no longer begin. Everything that it said until `at` must have been heard:
   * had it begun one of these before its lease ran out, it would have answered the first before that.
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
        if (isText(message.text)) this.#find(message.number)?.print(message.text);
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
      case "returned":
        this.#takeBack(message.number);
        break;
      case "unclean":
        this.#giveUp();
    }
  }

  /** What a process that the tool started has printed, or the tool past its worker. */
  hearPrinted(text: string): void {
    this.jobs[0]?.print(text);
  }

  /** Ends it with all that runs in it. The first of its jobs fails as said, the rest goes elsewhere. */
  end(verdict?: { readonly job: Job | undefined; fail(job: Job): void }): Promise<void> {
    this.isRetired = true;
    this.isEnding = true;
    this.#verdict ??= verdict;
    return this.#process.stop();
  }

  /** Settles what is left when the process has ended, and everything it said was heard. */
  async untilEnded(): Promise<void> {
    const end = await this.#process.ended;
    this.isRetired = true;
    this.isEnding = true;
    const [first, ...others] = this.jobs.splice(0);
    if (others.length > 0) this.#owner.onReturned(this, others);
    if (first === undefined) return;
    if (this.#verdict !== undefined && (this.#verdict.job ?? first) === first) {
      this.#verdict.fail(first);
    } else first.fail("WorkerDied", explainDeath(end, this.memoryMb));
  }

  #find(number: number): Job | undefined {
    const [first] = this.jobs;
    return first?.number === number ? first : undefined;
  }

  #finish(
    { number, ms, residentMb }: { number: number; ms: number; residentMb?: number },
    settle: (job: Job, ms: number) => void,
  ): void {
    const job = this.#find(number);
    if (job === undefined || typeof ms !== "number") {
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
    this.#owner.onFinished(this, ms);
  }

  #takeBack(number: number): void {
    const index = this.jobs.findIndex((job) => job.number === number);
    // What was taken back already is given back once more.
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

  // It speaks with the right voice, and yet nonsense: the tool has got at it.
  #distrust(): void {
    const [first] = this.jobs;
    void this.end({
      job: first,
      fail: (job) => job.fail("WorkerDied", "The tool disturbed its own sandbox, and was ended."),
    });
  }
}

// It is JSON of one line, as it was packed; read and written again it would take far longer.
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
