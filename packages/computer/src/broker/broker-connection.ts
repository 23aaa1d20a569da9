import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import type { BrokerStart } from "../sandbox/sandbox.ts";
import { type BrokerProcess, startBrokerProcess } from "./broker-process.ts";
import { BrokeredRun, brokerGone, type LaunchStreams } from "./brokered-run.ts";
import type { BrokerReply, LaunchEnd, RunView } from "./messages.ts";

/** A launched process. */
export interface Launched {
  /** Resolves when it runs. Rejects if it could not be started. */
  readonly started: Promise<void>;
  /** The first process of its namespace, if it has one. */
  readonly contained: Promise<number>;
  /** Resolves when all of its processes have ended, or it was never started. */
  readonly exited: Promise<void>;
  /** Resolves when all has ended and its output was read. Rejects if it could not be started. */
  readonly ended: Promise<LaunchEnd>;
  /** Writes to standard input, if that stays open; rejects once it is closed. */
  write(bytes: Uint8Array | string): Promise<void>;
  endInput(): void;
  /** Kills all its processes, at any moment. */
  kill(): void;
  /** What it is doing; nothing once it has ended. */
  look(): Promise<RunView>;
  /** Whether it keeps this process alive. Default: yes. */
  keepAlive(isNeeded: boolean): void;
}

const pipesPerRun = 3;

/** One broker process and the runs it started. */
export class BrokerConnection {
  readonly #process: BrokerProcess;
  readonly #onEnd: () => void;
  readonly #name = randomBytes(8).toString("hex");
  readonly #runs = new Map<number, BrokeredRun>();
  readonly #questions = new Map<number, (view: RunView) => void>();
  #numbers = 0;
  /** The pipes: their directory, how many exist and how many of them are taken. */
  #directory = "";
  #made = 0;
  #taken = 0;
  /** Runs that wait for pipes. */
  #waiting: (() => void)[] = [];
  #endReason: string | undefined;

  constructor(start: Pick<BrokerStart, "prefix">, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#process = startBrokerProcess(start, {
      onReply: (reply) => this.#hear(reply),
      onEnd: (reason) => this.#end(reason),
    });
  }

  get isBusy(): boolean {
    return this.#runs.size > 0 || this.#waiting.length > 0;
  }

  async launch(plan: LaunchPlan, streams: LaunchStreams): Promise<Launched> {
    // No await between the check and the taking, so no other run can interleave.
    while (this.#made - this.#taken < pipesPerRun) await this.#morePipes();
    if (this.#endReason !== undefined) throw brokerGone(this.#endReason);
    const number = ++this.#numbers;
    const run = new BrokeredRun(plan, streams, {
      number,
      marker: `${this.#name}-${number}`,
      directory: this.#directory,
      takePipe: () => String(this.#taken++),
    });
    this.#runs.set(number, run);
    this.#keepAlive();
    this.#process.send({ type: "start", ...run.order });
    const ended = run.ended.finally(() => {
      this.#runs.delete(number);
      this.#keepAlive();
    });
    ended.catch(() => {});
    return {
      started: run.started,
      contained: run.contained,
      exited: run.exited,
      ended,
      write: (bytes) => run.write(bytes),
      endInput: () => run.endInput(),
      kill: () => this.#process.send({ type: "kill", run: number }),
      look: () => this.#look(number),
      keepAlive: (isNeeded) => {
        run.keepAlive(isNeeded);
        this.#keepAlive();
      },
    };
  }

  close(): void {
    this.#process.close();
  }

  kill(): void {
    this.#process.kill();
  }

  #morePipes(): Promise<void> {
    if (this.#endReason !== undefined) throw brokerGone(this.#endReason);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#keepAlive();
    return promise;
  }

  #look(run: number): Promise<RunView> {
    if (!this.#runs.has(run) || this.#endReason !== undefined) return Promise.resolve(nothing);
    const { promise, resolve } = Promise.withResolvers<RunView>();
    const question = ++this.#numbers;
    this.#questions.set(question, resolve);
    this.#process.send({ type: "look", run, question });
    this.#keepAlive();
    return promise;
  }

  #hear(reply: BrokerReply): void {
    switch (reply.type) {
      case "pipes":
        this.#directory = reply.directory;
        this.#made = reply.made;
        this.#wake();
        break;
      case "started":
        this.#runs.get(reply.run)?.onStarted(reply.pid);
        break;
      case "contained":
        this.#runs.get(reply.run)?.onContained(reply.pid);
        break;
      case "refused":
        this.#runs.get(reply.run)?.onRefused(reply.reason);
        break;
      case "ended":
        void this.#runs.get(reply.run)?.onEnded(reply);
        break;
      case "looked":
        this.#questions.get(reply.question)?.(reply.view);
        this.#questions.delete(reply.question);
        this.#keepAlive();
    }
  }

  #end(reason: string): void {
    this.#endReason = reason;
    this.#onEnd();
    const isClean = [...this.#runs.values()].map((run) => run.onBrokerGone(reason));
    void Promise.all(isClean).then(() => {
      if (this.#directory !== "") rmSync(this.#directory, { recursive: true, force: true });
    });
    for (const resolve of this.#questions.values()) resolve(nothing);
    this.#questions.clear();
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#keepAlive();
  }

  #keepAlive(): void {
    if (this.#endReason !== undefined) return;
    const isAwaited = [...this.#runs.values()].some((run) => run.isAwaited);
    const isNeeded = isAwaited || this.#waiting.length > 0 || this.#questions.size > 0;
    this.#process.keepAlive(isNeeded);
  }
}

const nothing: RunView = { processes: [], cpuTicks: 0, waitsForTerminal: false };
