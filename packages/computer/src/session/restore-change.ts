import { type PathState, ToolError } from "@haft/contract";
import { readBlob } from "./blobs.ts";
import type { StoredChange, StoredContent } from "./journal-line.ts";
import { findChange, type ReadRecording } from "./read-journal.ts";
import { applySplice } from "./splice.ts";

/** A journal that was read, and where its session is kept. */
export interface OpenJournal {
  readonly directory: string;
  readonly recordings: readonly ReadRecording[];
}

/** What was at a path before a change. */
export function stateBefore(change: StoredChange, journal: OpenJournal): PathState {
  const { before } = change;
  if (before.kind !== "file") return before;
  return withMode(contentBefore(change, journal), before.mode);
}

/** What a change left at a path. */
export function stateAfter(change: StoredChange, journal: OpenJournal): PathState {
  const { after } = change;
  if (after.kind !== "file") return after;
  return withMode(contentAfter(change, journal), after.mode);
}

function contentBefore({ before }: StoredChange, journal: OpenJournal): Uint8Array {
  if (before.kind !== "file") return nothing;
  if (!("left_by" in before)) return contentOf(before, journal);
  const earlier = findChange(journal.recordings, before.left_by);
  if (earlier === undefined) throw incomplete();
  return contentAfter(earlier, journal);
}

function contentAfter(change: StoredChange, journal: OpenJournal): Uint8Array {
  const { after } = change;
  if (after.kind !== "file") throw incomplete();
  const { head, tail } = after;
  const inserted = contentOf(after, journal);
  // What was there before is needed only if some of it is still there.
  if (head + tail === 0) return inserted;
  const content = applySplice(contentBefore(change, journal), { head, tail, inserted });
  if (content === undefined) throw incomplete();
  return content;
}

const nothing = new Uint8Array();

function contentOf(stored: StoredContent, journal: OpenJournal): Uint8Array {
  return "blob" in stored
    ? readBlob(journal.directory, stored)
    : new Uint8Array(Buffer.from(stored.text, "base64"));
}

function withMode(content: Uint8Array, mode: number | undefined): PathState {
  return mode === undefined ? { kind: "file", content } : { kind: "file", content, mode };
}

function incomplete(): ToolError {
  return new ToolError(
    "failed",
    "The change can't be undone: the journal does not have all of it any more.",
  );
}
