import { maskValues, maxSpellingLength } from "./mask-values.ts";

/** One of the two streams that a tool prints to. */
export type PrintedStream = "stdout" | "stderr";

/** What a tool printed to a stream. */
export interface PrintedText {
  /** The start and the end of it, with a line between them that says how much was left out. */
  readonly text: string;
  readonly omittedCharacters: number;
}

/** What an invocation printed, without secrets. */
export type PrintedOutput = Readonly<Record<PrintedStream, PrintedText>>;

/**
 * Called when an invocation first prints. `read` returns what it printed so far, and `undefined` once
 * it has ended.
 */
export type OnPrint = (invocationId: string, read: () => PrintedOutput | undefined) => void;

// Of each stream. A worker has the same limits.
const maxStartCharacters = 32 * 1024;
const maxEndCharacters = 32 * 1024;
const maxNoteCharacters = 64;

/** Collects what an invocation prints, up to a limit. */
export class OutputLog {
  readonly #streams: Readonly<Record<PrintedStream, StreamLog>> = {
    stdout: new StreamLog(),
    stderr: new StreamLog(),
  };
  readonly #mask: (text: string) => string;
  readonly #margin: number;

  /** Secrets are masked. */
  constructor(secrets: readonly string[]) {
    this.#mask = maskValues(secrets);
    this.#margin = maxSpellingLength(secrets);
  }

  /** Adds a text. `skipped` is the number of characters that the worker left out before it. */
  add(stream: PrintedStream, text: string, skipped: number): void {
    this.#streams[stream].add(text, skipped);
  }

  /** Returns what was printed so far. While the tool runs, unfinished lines are left out. */
  read(hasEnded: boolean): PrintedOutput {
    const read = (stream: PrintedStream): PrintedText =>
      this.#streams[stream].read({ hasEnded, mask: this.#mask, margin: this.#margin });
    return { stdout: read("stdout"), stderr: read("stderr") };
  }
}

/** Joins what two runs of an invocation printed, one after the other. */
export function joinPrinted(
  first: PrintedOutput | undefined,
  second: PrintedOutput | undefined,
): PrintedOutput | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const join = (stream: PrintedStream): PrintedText => {
    const text = first[stream].text + second[stream].text;
    const before = first[stream].omittedCharacters + second[stream].omittedCharacters;
    const excess = text.length - maxStartCharacters - maxEndCharacters;
    // Both have a line of their own about what they left out.
    if (excess <= 2 * maxNoteCharacters) return { text, omittedCharacters: before };
    const note = `\n… ${excess} characters were left out …\n`;
    return {
      text: `${text.slice(0, maxStartCharacters)}${note}${text.slice(-maxEndCharacters)}`.toWellFormed(),
      omittedCharacters: before + excess,
    };
  };
  return { stdout: join("stdout"), stderr: join("stderr") };
}

interface ReadOptions {
  readonly hasEnded: boolean;
  mask(text: string): string;
  readonly margin: number;
}

class StreamLog {
  #start = "";
  #end = "";
  #omitted = 0;

  add(text: string, skipped: number): void {
    if (skipped > 0) {
      this.#omitted += this.#end.length + skipped;
      this.#end = "";
    }
    const room = this.#omitted > 0 ? 0 : maxStartCharacters - this.#start.length;
    this.#start += text.slice(0, room);
    this.#end += text.slice(room);
    // Not on every text: cutting takes longer than appending.
    if (this.#end.length > 2 * maxEndCharacters) this.#cut();
  }

  read({ hasEnded, mask, margin }: ReadOptions): PrintedText {
    if (this.#end.length > maxEndCharacters) this.#cut();
    const end = hasEnded ? this.#end : this.#end.slice(0, this.#end.lastIndexOf("\n") + 1);
    if (this.#omitted === 0) {
      const all = this.#start + this.#end;
      const shown = hasEnded ? all : all.slice(0, all.lastIndexOf("\n") + 1);
      return { text: mask(shown).toWellFormed(), omittedCharacters: 0 };
    }
    // A secret that was cut in two is not recognised, so nothing next to the cut is shown.
    const before = mask(this.#start);
    const first = before.slice(0, Math.max(0, before.length - margin));
    const last = mask(end).slice(margin);
    const omittedCharacters = this.#omitted + 2 * margin;
    const text = `${first}\n… ${omittedCharacters} characters were left out …\n${last}`;
    return { text: text.toWellFormed(), omittedCharacters };
  }

  #cut(): void {
    this.#omitted += this.#end.length - maxEndCharacters;
    this.#end = this.#end.slice(-maxEndCharacters);
  }
}
