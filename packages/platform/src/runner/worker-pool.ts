import { availableParallelism } from "node:os";
import { toErrorMessage } from "@haft/contract/internal";
import type { RunnerSettings } from "../platform-settings.ts";
import type { Job } from "./job.ts";
import { steadyNow } from "./steady-clock.ts";
import type { ToolGroup } from "./tool-group.ts";
import { Worker, type WorkerOwner } from "./worker.ts";
import type { WorkerLauncher, WorkerSpec } from "./worker-launcher.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

/** Receives the events of a pool. */
export interface PoolOwner extends WorkerOwner {
  /** A worker of this group can take jobs. */
  onLoaded(group: ToolGroup): void;
  /** No worker could be started for this group. */
  onNone(group: ToolGroup, reason: string): void;
  /** There is room for another worker. */
  onRoom(): void;
}

const refillMs = 50;
// Starting is work for a processor: more at a time only come later.
const maxStarting = Math.max(2, availableParallelism());
const retryMs = 10_000;

/** All sandboxes: blank ones without a tool, and those with a tool. */
export class WorkerPool {
  readonly groupOf: Map<Worker, ToolGroup> = new Map();
  readonly blanks: Worker[] = [];
  readonly #settings: RunnerSettings;
  readonly #launcher: WorkerLauncher;
  readonly #owner: PoolOwner;
  readonly #all: Set<Worker> = new Set();
  #starting = 0;
  #startingBlanks = 0;
  #refilling: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #endings: Set<Promise<unknown>> = new Set();

  constructor(settings: RunnerSettings, launcher: WorkerLauncher, owner: PoolOwner) {
    this.#settings = settings;
    this.#launcher = launcher;
    this.#owner = owner;
  }

  get size(): number {
    return this.#all.size + this.#starting;
  }

  get hasRoom(): boolean {
    return this.size < this.#settings.maxWorkers;
  }

  /** Whether more workers are being started than there are processors to do so. */
  get isStartingMany(): boolean {
    return this.#starting >= maxStarting;
  }

  /** Starts the blank workers. Throws if not even one can be started. */
  async prepare(): Promise<void> {
    const wanted = Math.min(this.#settings.blankWorkers, this.#settings.maxWorkers);
    const missing = wanted - this.blanks.length - this.#startingBlanks;
    const started = Array.from({ length: Math.max(missing, 0) }, () => this.#addBlank());
    const outcomes = await Promise.allSettled(started);
    const [first] = outcomes;
    if (first?.status === "rejected" && this.#all.size === 0) throw first.reason;
  }

  /** Assigns a blank or new worker to a group for good. Returns `false` if there is no room. */
  add(group: ToolGroup): boolean {
    const blank = isOfBlanks(group.spec, this.#settings) ? this.blanks.shift() : undefined;
    if (blank === undefined && !this.hasRoom) return false;
    group.starting += 1;
    void this.#assign(group, blank ?? this.#start(group.spec));
    if (blank !== undefined) this.#refillLater(refillMs);
    return true;
  }

  /** Ends a blank worker, or else the one idle for longest. Returns `false` if all are busy. */
  makeRoom(): boolean {
    // One at a time: a worker that is ending makes room in a moment.
    for (const worker of this.#all) if (worker.isEnding) return true;
    const victim = this.blanks.shift() ?? this.#findIdlest();
    if (victim === undefined) return false;
    this.retire(victim);
    return true;
  }

  /** Gives the worker no more jobs and ends it when nothing runs in it. */
  retire(worker: Worker): void {
    worker.isRetired = true;
    if (worker.jobs.length === 0 && !worker.isEnding) void worker.end();
  }

  /** Retires workers that exceed a limit on age, calls, memory or idle time. */
  recycle(): void {
    const { maxAgeMs, maxIdleMs } = this.#settings;
    const now = steadyNow();
    for (const worker of this.#all) {
      const isIdle = worker.jobs.length === 0 && now - worker.idleSince > maxIdleMs;
      const isOwned = this.groupOf.has(worker);
      if (now - worker.bornAt > maxAgeMs || (isIdle && isOwned) || this.isUsedUp(worker)) {
        const index = this.blanks.indexOf(worker);
        if (index >= 0) this.blanks.splice(index, 1);
        this.retire(worker);
      }
    }
    this.#refillLater(refillMs);
  }

  isUsedUp(worker: Worker): boolean {
    const { maxCalls, maxResidentMb } = this.#settings;
    return worker.calls >= maxCalls || worker.residentMb > maxResidentMb;
  }

  count(): { workers: number; blank: number; busy: number } {
    let busy = 0;
    for (const worker of this.#all) if (worker.jobs.length > 0) busy += 1;
    return { workers: this.size, blank: this.blanks.length, busy };
  }

  *busy(): Generator<Worker> {
    for (const worker of this.#all) if (worker.jobs.length > 0) yield worker;
  }

  /** Ends all workers. Running jobs are failed with `fail`. */
  async close(fail: (job: Job) => void): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refilling);
    for (const worker of this.#all) void worker.end({ job: undefined, fail });
    while (this.#endings.size > 0) await Promise.allSettled(this.#endings);
  }

  async #assign(group: ToolGroup, coming: Worker | Promise<Worker>): Promise<void> {
    try {
      const loading = group.program.load();
      loading.catch(() => {});
      const worker = coming instanceof Worker ? coming : await coming;
      this.groupOf.set(worker, group);
      group.workers.add(worker);
      try {
        worker.load(await loading, {
          isReused: group.program.reuse === "process",
          ...(group.spec.hosts.length === 0 && { refusal: group.spec.refusal }),
        });
      } catch (error) {
        this.retire(worker);
        throw new Error(`The tool's code could not be loaded: ${toErrorMessage(error)}`);
      }
      group.starting -= 1;
      this.#owner.onLoaded(group);
    } catch (error) {
      group.starting -= 1;
      this.#owner.onNone(group, toErrorMessage(error));
    }
  }

  async #addBlank(): Promise<void> {
    const { memoryMb } = this.#settings;
    this.#startingBlanks += 1;
    try {
      const worker = await this.#start({ runtime: "node", memoryMb, hosts: [], refusal: "" });
      if (!worker.isRetired) this.blanks.push(worker);
    } finally {
      this.#startingBlanks -= 1;
    }
  }

  #start(spec: WorkerSpec): Promise<Worker> {
    const starting = this.#launch(spec);
    this.#remember(starting);
    return starting;
  }

  async #launch(spec: WorkerSpec): Promise<Worker> {
    let worker: Worker | undefined;
    let started: WorkerProcess;
    this.#starting += 1;
    try {
      started = await startWorkerProcess(this.#launcher, spec, {
        onMessage: (message) => worker?.hear(message),
        onPrinted: (text) => worker?.hearPrinted(text),
      });
    } catch (error) {
      // Groups that wait for room must learn that this worker will not come.
      queueMicrotask(() => this.#owner.onRoom());
      throw error;
    } finally {
      this.#starting -= 1;
    }
    worker = new Worker(started, this.#owner, spec.memoryMb);
    this.#all.add(worker);
    this.#remember(this.#stay(worker));
    if (this.#isClosed) void worker.end();
    return worker;
  }

  async #stay(worker: Worker): Promise<void> {
    await worker.untilEnded();
    this.#all.delete(worker);
    this.groupOf.get(worker)?.workers.delete(worker);
    this.groupOf.delete(worker);
    const index = this.blanks.indexOf(worker);
    if (index >= 0) this.blanks.splice(index, 1);
    this.#refillLater(refillMs);
    this.#owner.onRoom();
  }

  #findIdlest(): Worker | undefined {
    let idlest: Worker | undefined;
    for (const worker of this.groupOf.keys()) {
      if (worker.jobs.length > 0 || worker.isRetired || !worker.isLoaded) continue;
      if (idlest === undefined || worker.idleSince < idlest.idleSince) idlest = worker;
    }
    return idlest;
  }

  // Delayed, because the tool that took the last blank worker needs the processor now.
  #refillLater(ms: number): void {
    if (this.#isClosed || this.#refilling !== undefined) return;
    this.#refilling = setTimeout(() => {
      this.#refilling = undefined;
      const isEnough = this.blanks.length + this.#startingBlanks >= this.#settings.blankWorkers;
      if (isEnough || !this.hasRoom || this.#isClosed) return;
      this.#addBlank().then(
        () => this.#refillLater(refillMs),
        () => this.#refillLater(retryMs),
      );
    }, ms).unref();
  }

  #remember(ending: Promise<unknown>): void {
    this.#endings.add(ending);
    const forget = (): void => void this.#endings.delete(ending);
    ending.then(forget, forget);
  }
}

function isOfBlanks(spec: WorkerSpec, { memoryMb }: RunnerSettings): boolean {
  return spec.runtime === "node" && spec.memoryMb === memoryMb && spec.hosts.length === 0;
}
