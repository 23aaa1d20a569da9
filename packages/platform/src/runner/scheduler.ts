import type { RunnerSettings } from "../platform-settings.ts";
import { Job } from "./job.ts";
import type { OnPrint } from "./printed-output.ts";
import type { InvocationMode, RunnerStats, ToolProgram, ToolRun, ToolRunResult } from "./runner.ts";
import { steadyNow } from "./steady-clock.ts";
import { explainRefusal, groupKey, hostsOf, ToolGroup } from "./tool-group.ts";
import type { Worker } from "./worker.ts";
import type { WorkerLauncher } from "./worker-launcher.ts";
import { WorkerPool } from "./worker-pool.ts";

const tickMs = 10;
const cancelMs = 20;
const recycleMs = 5_000;
const shuttingDown = "The server shut down before the tool finished. Invoke it again.";

/** Decides which invocation runs in which worker, and when. */
export class Scheduler {
  readonly #settings: RunnerSettings;
  readonly #pool: WorkerPool;
  readonly #groups: Map<string, ToolGroup> = new Map();
  /** Groups by program object, because callers mostly pass the same object again. */
  readonly #lastGroups: WeakMap<ToolProgram, Partial<Record<InvocationMode, ToolGroup>>> =
    new WeakMap();
  readonly #unwritten: Set<Worker> = new Set();
  readonly #recycling: NodeJS.Timeout;
  #ticking: NodeJS.Timeout | undefined;
  #open = 0;
  #isClosing = false;
  #onEmpty: (() => void) | undefined;
  readonly #onPrint: OnPrint | undefined;

  constructor(settings: RunnerSettings, launcher: WorkerLauncher, onPrint: OnPrint | undefined) {
    this.#settings = settings;
    this.#onPrint = onPrint;
    this.#pool = new WorkerPool(settings, launcher, {
      onFinished: (worker, ms) => this.#afterCall(worker, ms),
      onReturned: (worker, jobs) => this.#takeBack(worker, jobs),
      onUnwritten: (worker) => this.#flushLater(worker),
      onLoaded: (group) => this.#serve(group),
      onNone: (group, reason) => this.#giveUp(group, reason),
      onRoom: () => this.#grow(),
    });
    this.#recycling = setInterval(() => this.#recycle(), recycleMs).unref();
  }

  prepare(): Promise<void> {
    return this.#pool.prepare();
  }

  run(program: ToolProgram, run: ToolRun): Promise<ToolRunResult> {
    return new Promise((resolve) => {
      this.#open += 1;
      const onSettled = (result: ToolRunResult): void => {
        this.#open -= 1;
        resolve(result);
        if (this.#open === 0) this.#onEmpty?.();
      };
      const job = new Job(
        { program, run, queuedAt: steadyNow() },
        { onSettled, onPrint: this.#onPrint },
      );
      if (this.#isClosing) {
        turnAway(job);
        return;
      }
      const group = this.#groupFor(program, run);
      group.waiting.push(job);
      this.#ticking ??= setInterval(() => this.#tick(), tickMs);
      this.#serve(group);
    });
  }

  stats(): RunnerStats {
    let waiting = 0;
    for (const group of this.#groups.values()) waiting += group.waiting.length;
    return { ...this.#pool.count(), waiting };
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    if (this.#open > 0) {
      const empty = new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([empty, late]);
      clearTimeout(timer);
    }
    for (const { waiting } of this.#groups.values()) {
      for (const job of waiting.splice(0)) turnAway(job);
    }
    await this.#pool.close((job) => job.fail("WorkerDied", shuttingDown));
    // Jobs that ended workers had not begun were returned meanwhile.
    for (const { waiting } of this.#groups.values()) {
      for (const job of waiting.splice(0)) turnAway(job);
    }
    clearInterval(this.#ticking);
    clearInterval(this.#recycling);
  }

  #groupFor(program: ToolProgram, { mode }: ToolRun): ToolGroup {
    const last = this.#lastGroups.get(program)?.[mode];
    if (last !== undefined && !last.isForgotten) return last;
    const key = groupKey(program, mode);
    const group = this.#groups.get(key) ?? this.#addGroup(key, program, mode);
    this.#lastGroups.set(program, { ...this.#lastGroups.get(program), [mode]: group });
    return group;
  }

  #addGroup(key: string, program: ToolProgram, mode: InvocationMode): ToolGroup {
    const group = new ToolGroup(program, {
      runtime: program.runtime,
      memoryMb: Math.min(program.memoryMb, this.#settings.maxMemoryMb),
      hosts: hostsOf(program, mode),
      refusal: explainRefusal(program, mode),
    });
    this.#groups.set(key, group);
    return group;
  }

  #serve(group: ToolGroup): void {
    group.handOut(steadyNow());
    if (group.waiting.length > 0 && group.workers.size + group.starting === 0) this.#add(group);
  }

  #afterCall(worker: Worker, ms: number): void {
    const group = this.#pool.groupOf.get(worker);
    group?.noteDuration(ms);
    if (this.#pool.isUsedUp(worker) || (!this.#pool.hasRoom && this.#isWantedElsewhere(group))) {
      this.#pool.retire(worker);
    }
    if (worker.isRetired) this.#pool.retire(worker);
    if (group !== undefined && group.waiting.length > 0) this.#serve(group);
  }

  #takeBack(worker: Worker, jobs: readonly Job[]): void {
    const group = this.#pool.groupOf.get(worker);
    group?.noteDelay();
    group?.waiting.unshift(...jobs.filter((job) => !job.isSettled));
    if (group !== undefined) queueMicrotask(() => this.#serve(group));
  }

  #giveUp(group: ToolGroup, reason: string): void {
    if (group.hasOpen || group.starting > 0) return;
    const message = `No sandbox could be started for the tool. ${reason}`;
    for (const job of group.waiting.splice(0)) job.fail("WorkerDied", message);
  }

  #flushLater(worker: Worker): void {
    if (this.#unwritten.size === 0) setImmediate(() => this.#flush());
    this.#unwritten.add(worker);
  }

  #flush(): void {
    for (const worker of this.#unwritten) worker.flush();
    this.#unwritten.clear();
  }

  #tick(): void {
    const now = steadyNow();
    // A cancelled job may still be running.
    if (this.#open === 0 && this.#pool.busy().next().done) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      return;
    }
    for (const worker of this.#pool.busy()) this.#watch(worker, now);
    for (const { waiting } of this.#groups.values()) {
      for (let index = waiting.length - 1; index >= 0; index--) {
        const job = waiting[index];
        if (!job?.run.signal?.aborted) continue;
        waiting.splice(index, 1);
        cancel(job);
      }
    }
    this.#grow();
    // By then all messages sent so far have been received.
    setImmediate(() => {
      for (const worker of this.#pool.busy()) worker.takeBackExpired(now);
    });
  }

  #watch(worker: Worker, now: number): void {
    for (const job of worker.jobs) if (job.run.signal?.aborted) cancel(job);
    const [first] = worker.jobs;
    if (first === undefined || worker.isEnding) return;
    const timeoutMs = Math.min(first.program.timeoutMs, this.#settings.maxTimeoutMs);
    const ran = now - first.startedAt;
    // A cancelled job gets a moment to end by itself, so that its worker can be reused.
    if (ran < (first.isSettled ? Math.min(cancelMs, timeoutMs) : timeoutMs)) return;
    void worker.end({
      job: first,
      fail: (job) =>
        job.fail(
          "Timeout",
          `The tool took longer than ${timeoutMs} ms and was stopped. Make it do less, or raise limits.timeoutMs in tool.json.`,
        ),
    });
  }

  /**
   * Starts workers for groups that wait too long. Organizations with the fewest workers come first.
   */
  #grow(): void {
    const now = steadyNow();
    const missing = new Map<ToolGroup, number>();
    for (const group of this.#groups.values()) {
      const count = group.countMissing(now);
      if (count > 0) missing.set(group, count);
    }
    // The workers that are coming may do for all that wait. The next tick looks again.
    while (missing.size > 0 && !this.#pool.isStartingMany) {
      const [group] = [...missing.keys()].sort(
        (a, b) => this.#countOf(a) - this.#countOf(b) || headOf(a) - headOf(b),
      ) as [ToolGroup];
      if (!this.#add(group)) return;
      const left = (missing.get(group) ?? 0) - 1;
      if (left > 0) missing.set(group, left);
      else missing.delete(group);
    }
  }

  #add(group: ToolGroup): boolean {
    if (this.#pool.add(group)) return true;
    this.#pool.makeRoom();
    return false;
  }

  // Without room, the group that has waited longest is next, unless its organization has more
  // workers.
  #isWantedElsewhere(group: ToolGroup | undefined): boolean {
    if (group === undefined) return false;
    const own = headOf(group);
    const count = this.#countOf(group);
    for (const other of this.#groups.values()) {
      if (other === group || other.waiting.length === 0 || headOf(other) >= own) continue;
      if (other.starting > 0) continue;
      if (other.organization === group.organization || this.#countOf(other) < count) return true;
    }
    return false;
  }

  /** Counts the workers of a group's organization. */
  #countOf({ organization }: ToolGroup): number {
    let count = 0;
    for (const group of this.#groups.values()) {
      if (group.organization === organization) count += group.workers.size + group.starting;
    }
    return count;
  }

  #recycle(): void {
    this.#pool.recycle();
    for (const [key, group] of this.#groups) {
      if (group.waiting.length + group.workers.size + group.starting > 0) continue;
      this.#groups.delete(key);
      group.isForgotten = true;
    }
  }
}

/** Returns when the first waiting job was queued. */
function headOf({ waiting }: ToolGroup): number {
  return waiting[0]?.queuedAt ?? Number.POSITIVE_INFINITY;
}

/** Ends a job that was not started. One with a journal can start elsewhere. */
function turnAway(job: Job): void {
  if (job.run.journal === undefined) job.fail("WorkerDied", shuttingDown);
  else job.interrupt(shuttingDown);
}

function cancel(job: Job): void {
  job.fail("Cancelled", "The caller disconnected, so the tool was stopped.");
}
