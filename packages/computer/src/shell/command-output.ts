import { StringDecoder } from "node:string_decoder";
import type { CommandOutput } from "@haft/contract";
import type { SecretFilter, SidecarWriter } from "@haft/core";
import { HeadAndTail, type TextLimits } from "./head-and-tail.ts";
import { SidecarSpill } from "./sidecar-spill.ts";

/** Where the output of a command goes. */
export interface OutputTargets {
  readonly keep: TextLimits;
  readonly filter: SecretFilter;
  openSidecar(): SidecarWriter;
  onOutput?(text: string): void;
  /** Maximum number of bytes in the sidecar. */
  readonly maxSidecarBytes?: number;
}

const maxLineCharacters = 400;
const scratchBytes = 64 * 1024;
const encoder = new TextEncoder();

/**
 * Collects the output of a command, without its secrets: keeps the start and the end, and all of it
 * in a sidecar if there is more. Uses constant memory for any amount of output.
 */
export class OutputTaker {
  readonly #places: OutputTargets;
  readonly #decoder = new StringDecoder("utf8");
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  readonly #kept: HeadAndTail;
  readonly #spill: SidecarSpill;
  /** An incomplete character that the filter left at the end of a part. */
  #half = "";
  #line = "";
  /** When output last arrived. */
  lastAt: number = performance.now();

  constructor(places: OutputTargets) {
    this.#places = places;
    this.#kept = new HeadAndTail(places.keep);
    this.#spill = new SidecarSpill(() => places.openSidecar(), places.maxSidecarBytes);
  }

  /** The last, unfinished line of the output. */
  get lastLine(): string {
    return this.#line;
  }

  /** Takes bytes, which are valid during the call only. A promise resolves when to go on with more. */
  take(bytes: Buffer): undefined | Promise<void> {
    this.lastAt = performance.now();
    const text = this.#decoder.write(bytes);
    this.#followLine(text);
    return this.#add(this.#places.filter.write(text));
  }

  /** Notes bytes that are taken later, so that `lastLine` and `lastAt` are those of all output. */
  notice(bytes: Buffer): void {
    this.lastAt = performance.now();
    this.#followLine(bytes.toString("utf8"));
  }

  /** The output so far. */
  get soFar(): CommandOutput {
    return { ...this.#kept.toTexts(), totalBytes: this.#kept.totalBytes };
  }

  /** Returns the collected output, and notes about it. */
  async end(): Promise<{ readonly output: CommandOutput; readonly notes: readonly string[] }> {
    const { filter } = this.#places;
    await this.#add(filter.write(this.#decoder.end()) + filter.end());
    const notes = await this.#spill.end();
    return { output: this.soFar, notes };
  }

  #add(shown: string): undefined | Promise<void> {
    const text = this.#half + shown;
    this.#half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    const whole = this.#half === "" ? text : text.slice(0, -1);
    if (whole === "") return undefined;
    this.#tell(whole);
    return this.#store(whole);
  }

  // A failing listener must not fail the command.
  #tell(text: string): void {
    try {
      this.#places.onOutput?.(text);
    } catch {}
  }

  /** Stores a text piece by piece in reused memory. */
  #store(text: string): undefined | Promise<void> {
    let rest = text;
    while (rest !== "") {
      const { read, written } = encoder.encodeInto(rest, this.#scratch);
      const bytes = this.#scratch.subarray(0, written);
      const isFull = this.#spill.isOpen || !this.#kept.hasRoom(written);
      const before = isFull && !this.#spill.isOpen ? this.#kept.toBytes() : undefined;
      this.#kept.add(bytes);
      rest = rest.slice(read);
      const waiting = isFull ? this.#spill.write(bytes, before) : undefined;
      const next = rest;
      if (waiting !== undefined) return waiting.then(() => this.#store(next));
    }
    return undefined;
  }

  #followLine(text: string): void {
    const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    const line = end < 0 ? this.#line + text : text.slice(end + 1);
    this.#line = line.slice(-maxLineCharacters);
  }
}
