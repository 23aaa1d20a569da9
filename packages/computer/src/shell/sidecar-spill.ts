import type { SidecarWriter } from "@haft/core";

const batchBytes = 256 * 1024;

// How much of an output a sidecar keeps.
const maxSidecarBytes = 1024 * 1024 * 1024;

/**
 * Writes an output to a sidecar at the speed of the disk. While one half of its memory is being
 * written, the other fills.
 */
export class SidecarSpill {
  readonly #open: () => SidecarWriter;
  readonly #maxBytes: number;
  #writer: SidecarWriter | undefined;
  #keptBytes = 0;
  #filling: Buffer = Buffer.alloc(0);
  #filled = 0;
  #spare: Buffer | undefined;
  #writing: Promise<void> | undefined;
  /** Why the output in it is incomplete. */
  #fault: string | undefined;
  #isLost = false;

  constructor(open: () => SidecarWriter, maxBytes: number = maxSidecarBytes) {
    this.#open = open;
    this.#maxBytes = maxBytes;
  }

  get isOpen(): boolean {
    return this.#writer !== undefined;
  }

  /**
   * Takes bytes, which are copied; the first call also brings everything before them. A promise
   * resolves when to go on with more.
   */
  write(bytes: Buffer, before: Buffer = Buffer.alloc(0)): undefined | Promise<void> {
    if (this.#writer === undefined) {
      this.#writer = this.#open();
      this.#filling = Buffer.allocUnsafeSlow(batchBytes + before.length);
      this.#fill(before);
    }
    this.#fill(bytes);
    if (this.#filled < batchBytes) return undefined;
    if (this.#writing !== undefined) return this.#writing.then(() => this.#flush());
    this.#flush();
    return undefined;
  }

  /** Completes the sidecar, and returns what is wrong with it. */
  async end(): Promise<readonly string[]> {
    if (this.#writer === undefined) return [];
    await this.#writing;
    this.#flush();
    await this.#writing;
    try {
      if (!this.#isLost) await this.#writer.end();
    } catch (error) {
      this.#lose(error);
    }
    return this.#fault === undefined ? [] : [this.#fault];
  }

  #fill(bytes: Buffer): void {
    if (this.#fault !== undefined) return;
    const room = this.#maxBytes - this.#keptBytes;
    if (bytes.length > room) this.#fault = tooMuch(this.#maxBytes);
    const kept = bytes.subarray(0, room);
    if (this.#filled + kept.length > this.#filling.length) {
      this.#filling = Buffer.concat(
        [this.#filling.subarray(0, this.#filled)],
        this.#filled + kept.length,
      );
    }
    kept.copy(this.#filling, this.#filled);
    this.#filled += kept.length;
    this.#keptBytes += kept.length;
  }

  #flush(): void {
    if (this.#writer === undefined || this.#filled === 0 || this.#isLost) return;
    const batch = this.#filling.subarray(0, this.#filled);
    const free = this.#spare ?? Buffer.allocUnsafeSlow(2 * batchBytes);
    this.#spare = this.#filling;
    this.#filling = free;
    this.#filled = 0;
    this.#writing = this.#writer
      .write(batch)
      .catch((error) => this.#lose(error))
      .finally(() => {
        this.#writing = undefined;
      });
  }

  // The command goes on: the start and end of its output are still returned.
  #lose(error: unknown): void {
    this.#isLost = true;
    this.#fault = `The whole output could not be stored: ${(error as Error).message}`;
  }
}

function tooMuch(maxBytes: number): string {
  return `The file has the first ${maxBytes} bytes of the output; the rest was dropped.`;
}
