import type { PathState } from "@haft/contract";
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

// What is shorter stands in the journal itself: to make a file of its own takes longer.
const mostInline = 4 * 1024;

/** Brings a change into the form that the journal keeps, its long contents into blobs. */
export function storeChange(change: FileChange, id: string, store: ChangeStore): StoredChange {
  const { path, before, after, undoes } = change;
  return {
    path,
    before: storeBefore(change, `${id}.before`, store),
    after: storeAfter(before, { after, name: `${id}.after` }, store),
    ...(undoes === undefined ? {} : { undoes }),
  };
}

function storeBefore(
  { before, follows, keep }: FileChange,
  name: string,
  store: ChangeStore,
): StoredBefore {
  if (before.kind !== "file") return before;
  const { kind, mode = 0o644, content } = before;
  if (content.length > mostInline && follows !== undefined && store.mayFollow(follows)) {
    return { kind, mode, left_by: follows };
  }
  return { kind, mode, ...storeContent(content, { name, link: keep }, store) };
}

function storeAfter(
  before: PathState,
  { after, name }: { readonly after: PathState; readonly name: string },
  store: ChangeStore,
): StoredAfter {
  if (after.kind !== "file") return after;
  const { kind, mode, content } = after;
  const { head, tail, inserted } =
    before.kind === "file"
      ? findSplice(before.content, content)
      : { head: 0, tail: 0, inserted: content };
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
