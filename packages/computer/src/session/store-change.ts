import type { FileChange } from "@haft/core";
import { type KeptBlob, keepBlob } from "./blobs.ts";
import type { StoredAfter, StoredBefore, StoredChange, StoredContent } from "./journal-line.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { findSplice } from "./splice.ts";

/** Where a change is stored. */
export interface ChangeStore {
  readonly session: SessionDirectory;
  /** Blobs that were made for it, also if it fails on the way. */
  readonly blobs: KeptBlob[];
  /** Whether it may build on what this earlier change left. */
  mayFollow(change: string): boolean;
}

/** What is not longer stands in the journal itself: to make a file of its own takes longer. */
export const mostInline: number = 4 * 1024;

/** Brings a change into the form that the journal keeps, its long contents into blobs. */
export function storeChange(change: FileChange, id: string, store: ChangeStore): StoredChange {
  const { path, undoes } = change;
  return {
    path,
    before: storeBefore(change, `${id}.before`, store),
    after: storeAfter(change, `${id}.after`, store),
    ...(undoes === undefined ? {} : { undoes }),
  };
}

function storeBefore(
  { before, follows, keep }: FileChange,
  name: string,
  store: ChangeStore,
): StoredBefore {
  if (before.kind !== "file") return before;
  const { kind, mode = 0o644 } = before;
  // The content may not even have been read.
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
  if (content.length <= mostInline) return { text: toBase64(content) };
  const blob = keepBlob(name, content, { session, link });
  blobs.push(blob);
  return { blob: blob.name, sha256: blob.sha256 };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
