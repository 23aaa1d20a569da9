import { type BigIntStats, readdirSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import { isSystemError } from "../disk/system-error.ts";
import type { LayerRoot } from "./layer.ts";
import { lookAt } from "./read-layer.ts";

const maxFileBytes = 4 * 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;
const firstLookMs = 20;
const maxLookMs = 250;

/**
 * Keeps what files of the workspace held when a command changed them on its layer. Without it, a
 * change that somebody else makes to such a file before the command ends could not be merged.
 */
export class BaseKeeper {
  readonly #roots: readonly LayerRoot[];
  readonly #startedAt: bigint;
  readonly #kept = new Map<string, Uint8Array>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `startedAt`: see `isChangedSince`. */
  constructor(roots: readonly LayerRoot[], startedAt: bigint) {
    this.#roots = roots;
    this.#startedAt = startedAt;
  }

  /** Looks at the layer from time to time, until it is stopped. */
  start(): void {
    this.#wait(firstLookMs);
  }

  /** What a file held before the command and others changed it, if that is known. */
  find(path: string): Uint8Array | undefined {
    return this.#kept.get(path);
  }

  /** Remembers what a file held, if nothing is known of it yet. */
  add(path: string, bytes: Uint8Array): void {
    if (this.#kept.has(path) || this.#bytes + bytes.length > maxBytes) return;
    this.#kept.set(path, bytes);
    this.#bytes += bytes.length;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(delay: number): void {
    this.#timer = setTimeout(() => {
      for (const { upper, path } of this.#roots) this.#look(upper, path);
      this.#wait(Math.min(maxLookMs, 2 * delay));
    }, delay).unref();
  }

  #look(from: string, to: string): void {
    try {
      for (const entry of readdirSync(from, { withFileTypes: true })) {
        const path = `${to}/${entry.name}`;
        if (entry.isDirectory()) {
          // What is not in the workspace can't be changed there.
          if (lookAt(path)?.isDirectory()) this.#look(`${from}/${entry.name}`, path);
        } else if (entry.isFile()) this.#keep(path);
      }
    } catch (error) {
      // It was moved or removed meanwhile.
      if (!isSystemError(error)) throw error;
    }
  }

  #keep(path: string): void {
    if (this.#kept.has(path)) return;
    const stats = lookAt(path);
    if (!stats?.isFile() || stats.size > maxFileBytes) return;
    if (isChangedSince(stats, this.#startedAt) || this.#bytes + Number(stats.size) > maxBytes)
      return;
    const { bytes } = readUntrustedFile(path, {
      within: this.#roots.find((root) => isInside(root.path, path))?.path ?? path,
      maxBytes: maxFileBytes,
    });
    if (bytes !== undefined) this.add(path, bytes);
  }
}

/**
 * Whether something was changed after a layer was created. `startedAt` is the time of change of a
 * directory of the layer: the same clock, in steps of some milliseconds. A change in the same step
 * counts as earlier, because the command sees it.
 */
export function isChangedSince(stats: BigIntStats, startedAt: bigint): boolean {
  return stats.ctimeNs > startedAt;
}
