import { toErrorMessage } from "@haft/contract/internal";
import { PausableTimer } from "./pausable-timer.ts";
import { programLimits } from "./program-limits.ts";
import type { CellMessage, ImageDetail } from "./program-messages.ts";
import type { EndedProgram, RunningProgram } from "./run-program.ts";

/** One `text()` or `image()` of a cell. */
export type CellItem =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly media_type: string;
      /** In base64. */
      readonly data: string;
      readonly detail?: ImageDetail;
    };

/** What a call learns of a cell. */
export interface CellData {
  readonly status: "running" | "completed" | "failed" | "terminated";
  readonly cell_id: string;
  /** How long the call waited. */
  readonly wall_time_seconds: number;
  /** What the cell has output since the last call. */
  readonly content: readonly CellItem[];
  /** Why it failed. */
  readonly error?: string;
}

const maxItems = 256;

/** A program that may go on after the call that started it. */
export class Cell {
  readonly id: string;
  /** Resolves when the program and what is left to do after it have ended. Never rejects. */
  readonly ended: Promise<void>;
  #content: CellItem[] = [];
  #end: EndedProgram | undefined;
  #isTerminated = false;
  #isAsking = false;
  #waitedSince = 0;
  #textLength = 0;
  #imageLength = 0;
  readonly #program: RunningProgram;
  readonly #controller: AbortController;
  /** The calls that wait for it: their clocks, and what ends each wait. */
  readonly #waits = new Map<PausableTimer, () => void>();
  readonly #tell: (text: string) => void;

  constructor(id: string, { start, save, tell }: CellParts) {
    this.id = id;
    this.#tell = tell;
    this.#controller = new AbortController();
    this.#program = start(this);
    this.ended = this.#program.ended.then(async (end) => {
      const failure = await save(end).then(() => undefined, toErrorMessage);
      this.#takeEnd(end, failure === undefined ? [] : [`Values were not stored: ${failure}`]);
      this.#wake();
    });
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /** Fires when the program is to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the program. */
  terminate(): void {
    this.#isTerminated = this.isRunning;
    this.#controller.abort();
  }

  /** Stops all clocks while a person is asked, and starts them again. */
  pause(isAsking: boolean): void {
    this.#isAsking = isAsking;
    this.#program.pause(isAsking);
    for (const clock of this.#waits.keys()) clock.pause(isAsking);
  }

  /** Takes what the program outputs. Returns why it must be stopped, or `undefined`. */
  take(message: CellMessage): string | undefined {
    switch (message.kind) {
      case "yield":
        this.#wake();
        return undefined;
      case "image": {
        const { mediaType, data, detail } = message;
        this.#imageLength += data.length;
        if (this.#imageLength > programLimits.images) return showsTooMuch;
        this.#add({ type: "image", media_type: mediaType, data, ...(detail && { detail }) });
        return undefined;
      }
      default:
        this.#textLength += message.text.length;
        if (this.#textLength > programLimits.output) return printsTooMuch;
        if (message.kind === "notify" && this.#waits.size === 0) {
          this.#tell(`Cell ${this.id}: ${message.text}`);
        } else this.#add({ type: "text", text: message.text });
        return undefined;
    }
  }

  /** Waits until the program ends, yields or has run this long. The signal ends the wait, not the cell. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    this.#waitedSince = performance.now();
    if (!this.isRunning || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const clock = new PausableTimer(ms, resolve);
    this.#waits.set(clock, resolve);
    if (!this.#isAsking) clock.pause(false);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clock.pause(true);
    this.#waits.delete(clock);
  }

  /** Returns what is new since the last report, with at most this many characters of text. */
  report(maxLength: number): CellData {
    const content = this.#content;
    this.#content = [];
    const error = this.#isTerminated ? undefined : this.#end?.error;
    return {
      status: this.#status(),
      cell_id: this.id,
      wall_time_seconds: Math.round((performance.now() - this.#waitedSince) / 100) / 10,
      content: cutContent(content, maxLength),
      ...(error && { error: error.code === "timeout" ? ranTooLong : error.message }),
    };
  }

  #status(): CellData["status"] {
    if (this.#end === undefined) return "running";
    if (this.#end.error === undefined) return "completed";
    return this.#isTerminated ? "terminated" : "failed";
  }

  #takeEnd(end: EndedProgram, failures: readonly string[]): void {
    this.#end = end;
    const { result } = end;
    // The caller that ends a cell expects that its calls end too.
    const notes = this.#isTerminated ? [] : end.notes;
    if (result !== undefined && result !== null) {
      const text = typeof result === "string" ? result : JSON.stringify(result);
      this.#add({ type: "text", text });
    }
    for (const note of [...notes, ...failures]) this.#add({ type: "text", text: `[${note}]` });
  }

  // Of very many texts, the last ones become one item.
  #add(item: CellItem): void {
    const last = this.#content.at(-1);
    if (this.#content.length < maxItems || item.type !== "text" || last?.type !== "text") {
      this.#content.push(item);
    } else {
      this.#content[this.#content.length - 1] = { ...last, text: `${last.text}\n${item.text}` };
    }
  }

  #wake(): void {
    for (const end of this.#waits.values()) end();
  }
}

/** What a cell is put together of. */
export interface CellParts {
  start(cell: Cell): RunningProgram;
  /** Called when the program has ended. */
  save(end: EndedProgram): Promise<void>;
  /** Tells the model something while no call waits for the cell. */
  tell(text: string): void;
}

const printsTooMuch = `The program output more than ${programLimits.output} characters and was stopped. Output less.`;
const ranTooLong = "The program did not end within an hour and was stopped.";
const showsTooMuch =
  "The program showed more or larger images than it may and was stopped. Show fewer, or smaller ones.";

/** Cuts the middle out of the texts, so that they have at most this many characters together. */
function cutContent(content: readonly CellItem[], maxLength: number): readonly CellItem[] {
  const total = content.reduce((sum, item) => sum + lengthOf(item), 0);
  if (total <= maxLength) return content;
  const half = Math.floor(maxLength / 2);
  let start = 0;
  return content.flatMap((item): CellItem[] => {
    const length = lengthOf(item);
    const [begin, tail] = [half - start, total - half - start];
    start += length;
    if (item.type !== "text" || length <= begin || tail <= 0) return [item];
    const gap =
      begin >= 0
        ? `\n[… ${total - 2 * half} characters left out here; output less, or ask for more tokens …]\n`
        : "";
    const text = item.text.slice(0, Math.max(0, begin)) + gap + item.text.slice(tail);
    return text === "" ? [] : [{ type: "text", text: text.toWellFormed() }];
  });
}

function lengthOf(item: CellItem): number {
  return item.type === "text" ? item.text.length : 0;
}
