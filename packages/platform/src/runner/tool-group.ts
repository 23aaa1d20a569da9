import { availableParallelism } from "node:os";
import type { Job } from "./job.ts";
import type { InvocationMode, ToolProgram } from "./runner.ts";
import type { Worker } from "./worker.ts";
import type { WorkerSpec } from "./worker-launcher.ts";

const maxAhead = 31;
// A worker whose first job takes longer than this gets no further jobs queued.
const freshMs = 25;
const quickMs = 1;
const slowMs = 10;
const heldUpMs = 2;
const stuckMs = 50;
// How long a job waits for a busy worker before another is started. Most calls end sooner.
const growMs = 10;
const quickEnough = 16;
const maxQuick = 32;
// One processor is for the server.
const maxBusyQuick = Math.max(1, availableParallelism() - 1);

/** The waiting jobs and the workers of one version of an organization's tool in one mode. */
export class ToolGroup {
  readonly organization: string;
  readonly program: ToolProgram;
  readonly spec: WorkerSpec;
  readonly waiting: Job[] = [];
  readonly workers: Set<Worker> = new Set();
  /** Whether new jobs go to a newer group. */
  isForgotten = false;
  /** Number of workers being started. */
  starting = 0;
  /** Grows with every quick call and shrinks with every other. */
  #quick = 0;
  /** The moving average of call durations. */
  #usualMs: number | undefined;

  constructor(program: ToolProgram, spec: WorkerSpec) {
    this.organization = program.organization;
    this.program = program;
    this.spec = spec;
  }

  /** Whether its calls are so short that waiting for a worker beats starting another. */
  get isQuick(): boolean {
    return this.#quick >= quickEnough;
  }

  /** Returns how many more workers would help the waiting jobs. */
  countMissing(now: number): number {
    const missing = this.waiting.length - this.starting;
    const workers = this.workers.size + this.starting;
    if (missing <= 0 || workers === 0) return Math.min(missing, 1);
    const waited = now - (this.waiting[0]?.queuedAt ?? now);
    if (waited < growMs) return 0;
    if (this.#usualMs === undefined || this.#usualMs >= heldUpMs) return missing;
    // Its calls are quick unless all workers are held up. On a busy machine they only seem
    // held up, and more workers would make that worse.
    if (this.starting > 0 || !this.#isHeldUp(now)) return 0;
    return Math.min(missing, workers);
  }

  #isHeldUp(now: number): boolean {
    for (const { isOpen, jobs } of this.workers) {
      if (isOpen && now - (jobs[0]?.startedAt ?? now) < stuckMs) return false;
    }
    return true;
  }

  noteDuration(ms: number): void {
    const usual = this.#usualMs ?? ms;
    this.#usualMs = usual + (Math.min(ms, 2 * slowMs) - usual) / 16;
    if (ms < quickMs) this.#quick = Math.min(this.#quick + 1, maxQuick);
    // On a busy machine even a quick worker waits for the processor now and then.
    else this.#quick = ms < slowMs ? Math.max(this.#quick - 1, 0) : 0;
  }

  /** Whether it has a worker that accepts jobs. */
  get hasOpen(): boolean {
    for (const { isOpen } of this.workers) if (isOpen) return true;
    return false;
  }

  noteDelay(): void {
    this.#quick = 0;
  }

  /** Gives waiting jobs to workers that can take them. */
  handOut(now: number): void {
    while (this.waiting.length > 0) {
      const worker = this.#findFree(now);
      const job = worker && this.waiting.shift();
      if (worker === undefined || job === undefined) return;
      if (!job.isSettled) worker.give(job);
    }
  }

  #findFree(now: number): Worker | undefined {
    let idle: Worker | undefined;
    let behind: Worker | undefined;
    let busy = 0;
    for (const worker of this.workers) {
      if (!worker.isOpen) continue;
      const [first] = worker.jobs;
      if (first === undefined) {
        idle ??= worker;
        continue;
      }
      busy += 1;
      const hasRoom = worker.jobs.length <= maxAhead && now - first.startedAt < freshMs;
      const isShorter = behind === undefined || worker.jobs.length < behind.jobs.length;
      if (hasRoom && isShorter) behind = worker;
    }
    if (!this.isQuick || this.program.isDurable) return idle;
    // Quick calls keep a processor busy: more workers than processors would only take turns.
    return busy < maxBusyQuick ? (idle ?? behind) : (behind ?? idle);
  }
}

/** Returns the key of a group. Organizations, versions and modes never share a sandbox. */
export function groupKey(program: ToolProgram, mode: InvocationMode): string {
  const { organization, toolId, version, digest, runtime, memoryMb, reuse = "" } = program;
  const hosts = hostsOf(program, mode).join(" ");
  const durable = program.isDurable ? "durable" : "";
  return `${organization} ${toolId} ${version} ${digest} ${runtime} ${memoryMb} ${reuse} ${mode} ${durable} ${hosts}`;
}

/** Returns the hosts that a tool may reach in a mode. A simulation has its own list. */
export function hostsOf(program: ToolProgram, mode: InvocationMode): readonly string[] {
  return mode === "regular" ? program.allowedHosts : program.simulationHosts;
}

/** What a tool is told after the name of a host that it may not reach, with the remedy. */
export function explainRefusal({ name, version }: ToolProgram, mode: InvocationMode): string {
  const field = mode === "regular" ? "allowedHosts" : "simulationHosts";
  return `is not in ${field} of ${name} ${version}. To allow it, add it to ${field} in tool.json and publish.`;
}
