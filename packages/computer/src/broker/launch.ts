import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { LaunchReport } from "../sandbox/launch-plan.ts";
import { describeProcesses, waitsForTerminal } from "./describe-processes.ts";
import { endMembers, endProcess } from "./end-members.ts";
import { type AttachedDescriptors, attachDescriptors } from "./launch-descriptors.ts";
import type { LaunchEnd, LaunchOrder, RunView } from "./messages.ts";
import { type ProcessEntry, readProcess, readStart } from "./process-table.ts";
import { findDescendants, findMembers, type RunTraces } from "./run-members.ts";

/** Callbacks for events of a launch. */
export interface LaunchEvents {
  /** The first process of the run's namespace is known. */
  onContained(pid: number): void;
  onEnded(end: LaunchEnd): void;
}

// How long a launcher has to end by itself once its process was killed.
const graceMs = 100;
// How long it has to report what it launched.
const noticeMs = 300;

/** A launched process, with everything it started. */
export class Launch {
  readonly #pid: number;
  readonly #together: boolean;
  readonly #events: LaunchEvents;
  readonly #traces: RunTraces;
  readonly #descriptors: AttachedDescriptors;
  /** The first process of the namespace; its end ends all others. */
  #contained: number | undefined;
  #isKilled = false;
  #hasEnded = false;
  /** Processes that were running when it ended or was killed. */
  #left: LaunchReport["left"] = [];

  constructor(
    child: ChildProcess & { readonly pid: number },
    order: LaunchOrder,
    events: LaunchEvents,
  ) {
    const { plan, marker, pipes } = order;
    const { pid } = child;
    this.#pid = pid;
    this.#together = plan.endsTogether;
    this.#events = events;
    this.#traces = {
      pid,
      marker,
      startedAt: readStart(pid),
      pipes: [pipes.output, pipes.errors ?? pipes.output],
    };
    this.#descriptors = attachDescriptors(child, plan.descriptors, (first) => this.#contain(first));
    child.once("exit", (exitCode, signal) => {
      this.#hasEnded = true;
      if (!this.#isKilled && !this.#together) this.#left = describeProcesses(this.#find());
      void this.#end(exitCode ?? undefined, signal ?? undefined);
    });
  }

  /** Kills all of it. */
  kill(): void {
    if (this.#isKilled || this.#hasEnded) return;
    this.#isKilled = true;
    this.#left = describeProcesses(this.#find());
    if (!this.#together) void endMembers(this.#traces);
    else if (this.#contained !== undefined) this.#killContained(this.#contained);
    else setTimeout(() => this.#killUncontained(), noticeMs);
  }

  look(): RunView {
    const entries = this.#find();
    return {
      processes: describeProcesses(entries),
      cpuTicks: entries.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0),
      waitsForTerminal: entries.some(({ pid }) => waitsForTerminal(pid)),
    };
  }

  #find(): ProcessEntry[] {
    if (!this.#together) return findMembers(this.#traces);
    return this.#contained === undefined ? [] : findDescendants(this.#contained);
  }

  /** Returns whether the process may continue. */
  #contain(pid: number): boolean {
    this.#contained = pid;
    this.#events.onContained(pid);
    if (this.#isKilled) this.#killContained(pid);
    return !this.#isKilled;
  }

  // The launcher notices and kills it, which ends the run.
  #killContained(pid: number): void {
    if (this.#hasEnded) return;
    endProcess(pid);
    setTimeout(() => {
      if (!this.#hasEnded) endProcess(this.#pid);
    }, graceMs);
  }

  #killUncontained(): void {
    if (this.#contained === undefined && !this.#hasEnded) void endMembers(this.#traces);
  }

  async #end(exitCode: number | undefined, signal: string | undefined): Promise<void> {
    const survivors = this.#together ? await this.#outlive() : await endMembers(this.#traces);
    const reported = await this.#descriptors.reported();
    this.#events.onEnded({
      exitCode,
      signal,
      left: this.#isKilled ? this.#left : [...this.#left, ...reported],
      survivors: describeProcesses(survivors),
    });
  }

  // A killed process may still be exiting when its launcher is already gone.
  async #outlive(): Promise<readonly ProcessEntry[]> {
    if (!this.#isKilled) return [];
    if (this.#contained === undefined) return endMembers(this.#traces);
    for (let waited = 0; ; waited++) {
      const entry = readProcess(this.#contained);
      if (entry === undefined) return [];
      if (waited > noticeMs) return [entry];
      await wait(1);
    }
  }
}
