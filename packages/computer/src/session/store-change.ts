import type { FileChange } from "@haft/core";
import { type KeptBlob, keepBlob } from "./blobs.ts";
import type { StoredAfter, StoredBefore, StoredChange, StoredContent } from "./journal-line.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { findSplice } from "./splice.ts";

/** Where a change is stored. */
export interface ChangeStore {
  readonly session: SessionDirectory;
  /** Blobs that were created for it, even if it fails on the way. */
  readonly blobs: KeptBlob[];
  /** The directory for what changes move away, relative to the blobs. */
  readonly keptIn: string;
  /** Whether it may build on what this earlier change left. */
  mayFollow(change: string): boolean;
}

/** Content up to this length is stored inline: creating a file takes longer. */
export const maxInline: number = 4 * 1024;

/** Converts a change to its stored form, with long contents in blobs. */
export function storeChange(change: FileChange, id: string, store: ChangeStore): StoredChange {
  const { path, undoes, moved } = change;
  const [before, after] = moved
    ? [keepEntry(change, store), markEntry(change, `${id}.after`, store)]
    : [storeBefore(change, `${id}.before`, store), storeAfter(change, `${id}.after`, store)];
  return {
    path,
    before,
    after,
    ...(undoes === undefined ? {} : { undoes }),
    ...(moved?.isFinal && { final: true as const }),
  };
}

function keepEntry({ before, moved }: FileChange, { keptIn }: ChangeStore): StoredBefore {
  if (before.kind === "absent") return before;
  const { keptAs, keptAt, before: print = "" } = moved ?? {};
  const kept = keptAt ?? (keptAs === undefined ? "" : `${keptIn}/${keptAs}`);
  if (before.kind === "link") return { ...before, kept, print };
  const { kind, mode = 0 } = before;
  return kind === "file" ? { kind, mode, kept, print } : { kind, mode, kept, print };
}

function markEntry(change: FileChange, name: string, store: ChangeStore): StoredAfter {
  const { after, moved, splice } = change;
  if (after.kind === "absent") return after;
  const print = moved?.after ?? "";
  if (after.kind === "link") return { ...after, print };
  const { kind, mode = 0 } = after;
  if (kind === "directory") return { kind, mode, print };
  if (splice === undefined) return { kind, mode, print };
  const { head, tail, inserted } = splice;
  return { kind, mode, print, head, tail, ...storeContent(inserted, { name }, store) };
}

function storeBefore(
  { before, follows, keep }: FileChange,
  name: string,
  store: ChangeStore,
): StoredBefore {
  if (before.kind !== "file") return before;
  const { kind, mode = 0o644 } = before;
  // The content may not have been read yet.
  if (follows !== undefined && store.mayFollow(follows)) return { kind, mode, left_by: follows };
  return { kind, mode, ...storeContent(before.content, { name, link: keep }, store) };
}

function storeAfter(change: FileChange, name: string, store: ChangeStore): StoredAfter {
  const { before, after } = change;
  if (after.kind !== "file") return after;
  const { kind, mode } = after;
  const { head, tail, inserted } =
    change.splice ??
    (before.kind === "file"
      ? findSplice(before.content, after.content)
      : { head: 0, tail: 0, inserted: after.content });
  const stored = storeContent(inserted, { name }, store);
  return { kind, ...(mode === undefined ? {} : { mode }), head, tail, ...stored };
}

function storeContent(
  content: Uint8Array,
  { name, link }: { readonly name: string; readonly link?: FileChange["keep"] },
  { session, blobs }: ChangeStore,
): StoredContent {
  if (content.length <= maxInline) return { text: toBase64(content) };
  const blob = keepBlob(name, content, { session, link });
  blobs.push(blob);
  return { blob: blob.name, sha256: blob.sha256 };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
