import type { FileChange, Recording } from "@haft/core";
import { isSystemError } from "../disk/system-error.ts";
import { dropBlobs, type KeptBlob, trimBlobs } from "./blobs.ts";
import type { JournalWriter, WrittenLine } from "./journal-writer.ts";
import type { PendingList } from "./pending-changes.ts";
import { idOfChange } from "./read-journal.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { settleAll } from "./settle-all.ts";
import { storeChange } from "./store-change.ts";
import { makeUniqueName } from "./unique-name.ts";

/** What a recording is a part of. */
export interface RecordingPlace {
  readonly session: SessionDirectory;
  readonly writer: JournalWriter;
  readonly pending: PendingList;
  /** Whether to wait until the disk has what was written. */
  readonly flush: boolean;
  /** How many bytes of old contents the session keeps. */
  readonly mostBytes: number;
  /** How many earlier changes each change of this process builds on. */
  readonly depths: Map<string, number>;
}

// To bring back what a change left takes all the changes that it builds on.
const deepest = 32;
const mostRemembered = 1000;

// A call's id may come again in another process.
const run = makeUniqueName();

/** Changes that are being written down, on the way to take effect or not. */
export class DiskRecording implements Recording {
  readonly ids: readonly string[];
  readonly #id: string;
  readonly #changes: readonly FileChange[];
  readonly #place: RecordingPlace;
  readonly #blobs: KeptBlob[] = [];

  constructor(changes: readonly FileChange[], place: RecordingPlace) {
    // Begins with the time, so that old blobs can be told from new ones.
    this.#id = `${Date.now().toString(36).padStart(9, "0")}-${makeUniqueName()}`;
    this.ids = changes.map((_, index) => idOfChange(this.#id, index));
    this.#changes = changes;
    this.#place = place;
  }

  /** Writes the changes down; the promise, if any, is that the disk has them. */
  write(): undefined | Promise<void> {
    const { session, writer, pending, flush } = this.#place;
    const id = this.#id;
    writer.touch();
    const stored = this.#changes.map((change, index) => {
      const store = { session, blobs: this.#blobs, mayFollow: this.#mayFollow };
      return storeChange(change, this.ids[index] as string, store);
    });
    const call = this.#changes[0]?.callId ?? "";
    const head = { version: 2, id, call_id: call, run, at: Date.now() } as const;
    const line = writer.write({ ...head, changes: stored });
    if (!flush) line.leave();
    const flushes = flush ? [line.flush(), ...this.#blobs.map((blob) => blob.flush())] : [];
    if (this.#isSeveral) {
      const note = pending.add({ id, session: session.name });
      if (flush) flushes.push(note());
    }
    this.#trim(line);
    return flush ? settleAll(flushes) : undefined;
  }

  done(): undefined | Promise<void> {
    this.#noteDepths();
    if (!this.#isSeveral) return undefined;
    const { writer, pending, flush } = this.#place;
    const line = writer.write({ version: 2, end: this.#id, as: "done" });
    if (flush) return line.flush().then(() => pending.remove(this.#id));
    line.leave();
    pending.remove(this.#id);
    return undefined;
  }

  dropped(): void {
    const { session, writer, pending } = this.#place;
    try {
      writer.write({ version: 2, end: this.#id, as: "dropped" }).leave();
      if (this.#isSeveral) pending.remove(this.#id);
      const names = this.#blobs.map(({ name }) => name);
      dropBlobs(session.path, names);
    } catch (error) {
      // A disk that takes nothing more is why we are here, as likely as not.
      if (!isSystemError(error)) throw error;
    }
  }

  get #isSeveral(): boolean {
    return this.#changes.length > 1;
  }

  readonly #mayFollow = (change: string): boolean =>
    (this.#place.depths.get(change) ?? deepest) < deepest;

  #noteDepths(): void {
    const { depths } = this.#place;
    if (depths.size > mostRemembered) depths.clear();
    for (const [index, { follows, after }] of this.#changes.entries()) {
      if (after.kind !== "file") continue;
      const below = follows === undefined ? undefined : depths.get(follows);
      const depth = below === undefined || below >= deepest ? 0 : below + 1;
      depths.set(this.ids[index] as string, depth);
    }
  }

  // To look at all blobs takes time: only now and then, or after one that counts.
  #trim({ size, end }: WrittenLine): void {
    if (this.#blobs.length === 0) return;
    const { session, mostBytes } = this.#place;
    const isDue = Math.floor(size / trimEvery) !== Math.floor(end / trimEvery);
    const isLong = this.#blobs.some((blob) => blob.size * 64 > mostBytes);
    if (isDue || isLong) trimBlobs(session.path, mostBytes);
  }
}

// In bytes of the journal, which is every hundred changes or so.
const trimEvery = 64 * 1024;
