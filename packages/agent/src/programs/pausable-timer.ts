/** A timer that can stand still, such as while a person is asked. */
export class PausableTimer {
  readonly #run: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Creates a timer that stands still until `pause(false)` starts it. */
  constructor(ms: number, run: () => void) {
    this.#leftMs = ms;
    this.#run = run;
  }

  pause(isPaused: boolean): void {
    if (isPaused === (this.#timer === undefined)) return;
    if (isPaused) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#leftMs -= performance.now() - this.#since;
    } else {
      this.#since = performance.now();
      this.#timer = setTimeout(this.#run, this.#leftMs);
    }
  }
}
