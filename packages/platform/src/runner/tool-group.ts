import type { Job } from "./job.ts";
import type { InvocationMode, ToolProgram } from "./runner.ts";
import type { Worker } from "./worker.ts";
import type { WorkerSpec } from "./worker-launcher.ts";

const mostAhead = 31;
// One whose first invocation takes longer than this gets nothing behind it.
const freshMs = 25;
const quickMs = 1;
const slowMs = 10;
const heldUpMs = 2;
const stuckMs = 50;
// So long somebody waits for a worker at work before another is started: most calls are over by then.
const growMs = 10;
const quickEnough = 16;
const mostQuick = 32;

/** Everything about one version of one organization's tool in one mode: what waits, and who works. */
export class ToolGroup {
  readonly organization: string;
  readonly program: ToolProgram;
  readonly spec: WorkerSpec;
  readonly waiting: Job[] = [];
  readonly workers: Set<Worker> = new Set();
  /** Whether others come into another group by now. */
  isForgotten = false;
  /** Workers on their way. */
  starting = 0;
  /** Grows with every call that was over at once, and shrinks with every other. */
  #quick = 0;
  /** How long calls take, about. */
  #usualMs: number | undefined;

  constructor(program: ToolProgram, spec: WorkerSpec) {
    this.organization = program.organization;
    this.program = program;
    this.spec = spec;
  }

  /** Whether its calls end so soon that it is better to wait for a worker than to start another. */
  get isQuick(): boolean {
    return this.#quick >= quickEnough;
  }

  /** How many workers more would help those who wait. */
  countMissing(now: number): number {
    const missing = this.waiting.length - this.starting;
    const workers = this.workers.size + this.starting;
    if (missing <= 0 || workers === 0) return Math.min(missing, 1);
    const waited = now - (this.waiting[0]?.queuedAt ?? now);
    if (waited < growMs) return 0;
    if (this.#usualMs === undefined || this.#usualMs >= heldUpMs) return missing;
    // Its calls are over at once, unless all workers are held up. On a busy machine they only seem
    // to be, and too many more would make that worse.
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
    if (ms < quickMs) this.#quick = Math.min(this.#quick + 1, mostQuick);
    // On a busy machine one that is quick waits for its turn now and then.
    else this.#quick = ms < slowMs ? Math.max(this.#quick - 1, 0) : 0;
  }

  /** Whether somebody is there who works for it. */
  get hasOpen(): boolean {
    for (const { isOpen } of this.workers) if (isOpen) return true;
    return false;
  }

  noteDelay(): void {
    this.#quick = 0;
  }

  /** Hands out what waits, as far as there is somebody to take it. */
  handOut(now: number): void {
    while (this.waiting.length > 0) {
      const worker = this.#findFree(now);
      const job = worker && this.waiting.shift();
      if (worker === undefined || job === undefined) return;
      if (!job.isSettled) worker.give(job);
    }
  }

  #findFree(now: number): Worker | undefined {
    let behind: Worker | undefined;
    for (const worker of this.workers) {
      if (!worker.isOpen) continue;
      const [first] = worker.jobs;
      if (first === undefined) return worker;
      const hasRoom = worker.jobs.length <= mostAhead && now - first.startedAt < freshMs;
      if (hasRoom && this.isQuick) behind ??= worker;
    }
    return behind;
  }
}

/** What tells groups apart. Nobody shares a sandbox with another organization, version or mode. */
export function groupKey(program: ToolProgram, mode: InvocationMode): string {
  const { organization, toolId, version, digest, runtime, memoryMb } = program;
  const hosts = hostsOf(program, mode).join(" ");
  return `${organization} ${toolId} ${version} ${digest} ${runtime} ${memoryMb} ${mode} ${hosts}`;
}

/** Whom a tool may reach in a mode. A simulation reaches only what was declared for it. */
export function hostsOf(program: ToolProgram, mode: InvocationMode): readonly string[] {
  return mode === "regular" ? program.allowedHosts : program.simulationHosts;
}
