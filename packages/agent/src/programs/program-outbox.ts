import { programLimits } from "./program-limits.ts";
import type { BlankProcess } from "./program-pool.ts";

/** Sends messages to a program's process. */
export class ProgramOutbox {
  readonly #process: BlankProcess;
  readonly #waiting: string[] = [];
  #unread = 0;

  constructor(process: BlankProcess) {
    this.#process = process;
  }

  /**
   * Sends a message at once, or with those that follow soon. Returns whether the process takes them fast
   * enough: if not, nothing is sent.
   */
  send(message: object, atOnce: boolean): boolean {
    const line = JSON.stringify(message);
    this.#unread += line.length;
    if (this.#unread > programLimits.unread) return false;
    const isFirst = this.#waiting.push(line) === 1;
    if (atOnce) this.#flush();
    else if (isFirst) setImmediate(() => this.#flush());
    return true;
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join("\n");
    this.#waiting.length = 0;
    this.#process.write(text).then(
      () => {
        this.#unread -= text.length;
      },
      // The end of the process is reported on its own.
      () => {},
    );
  }
}
