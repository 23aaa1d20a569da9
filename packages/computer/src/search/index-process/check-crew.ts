import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { checkRows, controlFields } from "./check-rows.ts";
import type { SharedStates, StateTable } from "./state-table.ts";

/** What helpers must learn before they check. */
export interface CrewNews {
  readonly states?: SharedStates;
  /** Paths of files, and their rows. */
  readonly paths?: readonly (readonly [row: number, path: string])[];
}

/** What a helper starts with. */
export interface CrewMember {
  readonly control: SharedArrayBuffer;
  readonly news: MessagePort;
  readonly number: number;
}

const maxHelpers = 3;

/** Threads that help to check whether files changed. These checks take most of a search. */
export class CheckCrew {
  readonly size: number = Math.min(availableParallelism() - 1, maxHelpers);
  readonly #control: Int32Array;
  readonly #ports: MessagePort[] = [];

  /** Starts helpers from a script that calls `helpChecking` in a thread. */
  constructor(script: string) {
    const control = new SharedArrayBuffer((controlFields.helpers + this.size) * 4);
    this.#control = new Int32Array(control);
    for (let number = 0; number < this.size; number++) {
      const place = controlFields.helpers + number;
      this.#control[place] = starting;
      const { port1, port2 } = new MessageChannel();
      const member: CrewMember = { control, news: port2, number };
      const worker = new Worker(script, { workerData: member, transferList: [port2] });
      worker.unref();
      // The others do without a helper that fails.
      worker.on("error", () => Atomics.store(this.#control, place, starting));
      port1.unref();
      this.#ports.push(port1);
    }
  }

  /** Sends news to all helpers; they receive it before the next check. */
  tell(news: CrewNews): void {
    for (const port of this.#ports) port.postMessage(news);
  }

  /** Lets the helpers begin with the first `count` rows that the table names. */
  begin(count: number): void {
    const control = this.#control;
    Atomics.store(control, controlFields.next, 0);
    Atomics.store(control, controlFields.count, count);
    Atomics.add(control, controlFields.round, 1);
    Atomics.notify(control, controlFields.round);
  }

  /** Checks what is left, and waits for the helpers to finish. */
  finish(table: StateTable, paths: readonly (string | undefined)[]): void {
    checkRows(table, paths, this.#control);
    this.#wait();
  }

  /** Leaves the rest unchecked. */
  stop(): void {
    Atomics.store(this.#control, controlFields.next, stopped);
    this.#wait();
  }

  /** Ends the helpers. */
  close(): void {
    this.begin(-1);
    for (const port of this.#ports) port.close();
  }

  // No row is left to take by now: a helper that is still starting has none, and is not waited for.
  #wait(): void {
    const control = this.#control;
    const round = Atomics.load(control, controlFields.round);
    for (let place: number = controlFields.helpers; place < control.length; place++) {
      for (;;) {
        const last = Atomics.load(control, place);
        if (last === round || last === starting) break;
        Atomics.wait(control, place, last);
      }
    }
  }
}

const starting = -1;

// Beyond all rows, and far from where the number would turn negative.
const stopped = 0x3fffffff;
