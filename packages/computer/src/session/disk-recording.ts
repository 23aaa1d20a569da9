import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CallTitle, FileChange, Recording } from "@haft/core";
import { isSystemError } from "../disk/system-error.ts";
import {
  dropBlobs,
  dropKept,
  type KeptBlob,
  keepBlob,
  locateKept,
  nameKept,
  trimBlobs,
} from "./blobs.ts";
import { flushPath } from "./flush-path.ts";
import type { BeginLine, StoredChange } from "./journal-line.ts";
import type { JournalWriter, WrittenLine } from "./journal-writer.ts";
import type { PendingList } from "./pending-changes.ts";
import { idOfChange, isSeveral } from "./read-journal.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { storeChange } from "./store-change.ts";
import { makeUniqueName } from "./unique-name.ts";

/** What a recording needs from its session. */
export interface RecordingContext {
  readonly session: SessionDirectory;
  readonly writer: JournalWriter;
  readonly pending: PendingList;
  /** Whether to wait until writes are flushed to disk. */
  readonly flush: boolean;
  /** Maximum number of bytes of old contents that the session keeps. */
  readonly maxBytes: number;
  /** How many earlier changes each change of this process builds on. */
  readonly depths: Map<string, number>;
  /** What the latest calls are about. */
  readonly titles: Map<string, CallTitle>;
}

// Restoring what a change left needs all the changes that it builds on.
const deepest = 32;
const maxRemembered = 1000;

const maxListed = 200;

// The ID of a call may recur in another process.
const run = makeUniqueName();

/** Changes that are being recorded, and may or may not take effect. */
export class DiskRecording implements Recording {
  readonly ids: readonly string[];
  readonly #id: string;
  readonly #changes: readonly FileChange[];
  readonly #place: RecordingContext;
  readonly #blobs: KeptBlob[] = [];
  readonly #keptIn: string;
  #stored: readonly StoredChange[] = [];

  constructor(changes: readonly FileChange[], place: RecordingContext) {
    // Begins with the time, so that blobs can be sorted by age.
    this.#id = `${Date.now().toString(36).padStart(9, "0")}-${makeUniqueName()}`;
    this.ids = changes.map((_, index) => idOfChange(this.#id, index));
    this.#changes = changes;
    this.#place = place;
    const bytes = changes.reduce((sum, { moved }) => sum + (moved?.bytes ?? 0), 0);
    this.#keptIn = nameKept(this.#id, bytes);
  }

  placeOf(index: number): string | undefined {
    const { before } = this.#stored[index] ?? {};
    const kept = before !== undefined && "kept" in before ? before.kept : undefined;
    return kept ? locateKept(this.#place.session.path, kept) : undefined;
  }

  /** Records the changes; the promise, if any, resolves when they are flushed. */
  write(): undefined | Promise<void> {
    const { session, writer, pending, flush } = this.#place;
    const id = this.#id;
    writer.touch();
    const keptIn = this.#keptIn;
    const store = { session, blobs: this.#blobs, mayFollow: this.#mayFollow, keptIn };
    this.#stored = this.#changes.map((change, index) =>
      storeChange(change, this.ids[index] as string, store),
    );
    const keeps = this.#makeKept();
    const call = this.#changes[0]?.callId ?? "";
    const title = this.#place.titles.get(call);
    const head = { version: 2, id, call_id: call, run, at: Date.now(), ...title } as const;
    const line = writer.write({ ...head, ...this.#listChanges() });
    if (!flush) line.leave();
    const flushes = flush ? [line.flush(), ...this.#blobs.map((blob) => blob.flush())] : [];
    if (flush && keeps) flushes.push(flushPath(join(session.path, "blobs")));
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
      dropKept(session.path, this.#keptIn);
    } catch (error) {
      // We may be here because the disk is full.
      if (!isSystemError(error)) throw error;
    }
  }

  get #isSeveral(): boolean {
    return isSeveral(this.#stored);
  }

  /** Makes the directories for what is moved away. */
  #makeKept(): boolean {
    const { session } = this.#place;
    const places = new Set<string>();
    for (const [index, { moved }] of this.#changes.entries()) {
      if (moved?.keptAs === undefined && moved?.keptAt === undefined) continue;
      const place = this.placeOf(index);
      // What is in a directory that is moved as a whole needs none.
      if (place !== undefined && !moved.isInner) places.add(dirname(place));
    }
    if (places.size > 0) session.make("blobs");
    for (const place of places) mkdirSync(place, { recursive: true, mode: 0o700 });
    return places.size > 0;
  }

  // Every command that looks at the journal reads its lines, so they are short.
  #listChanges(): Pick<BeginLine, "changes" | "changes_in"> {
    if (this.#stored.length <= maxListed) return { changes: this.#stored };
    const { session } = this.#place;
    const content = Buffer.from(JSON.stringify(this.#stored));
    const blob = keepBlob(`${this.#id}.changes`, content, { session });
    this.#blobs.push(blob);
    return { changes: [], changes_in: blob.name };
  }

  readonly #mayFollow = (change: string): boolean =>
    (this.#place.depths.get(change) ?? deepest) < deepest;

  #noteDepths(): void {
    const { depths } = this.#place;
    if (depths.size > maxRemembered) depths.clear();
    for (const [index, { follows, after }] of this.#changes.entries()) {
      if (after.kind !== "file") continue;
      const below = follows === undefined ? undefined : depths.get(follows);
      const depth = below === undefined || below >= deepest ? 0 : below + 1;
      depths.set(this.ids[index] as string, depth);
    }
  }

  // Listing all blobs takes time: done only now and then, or after a large one.
  #trim({ size, end }: WrittenLine): void {
    if (this.#blobs.length === 0) return;
    const { session, maxBytes } = this.#place;
    const isDue = Math.floor(size / trimEvery) !== Math.floor(end / trimEvery);
    const isLong = this.#blobs.some((blob) => blob.size * 64 > maxBytes);
    if (isDue || isLong) trimBlobs(session.path, maxBytes);
  }
}

// In bytes of the journal; about every hundred changes.
const trimEvery = 64 * 1024;

/** Waits for all promises to settle, and then throws the first failure. */
async function settleAll(work: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
