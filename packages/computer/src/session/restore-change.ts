import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type PathState, ToolError } from "@haft/contract";
import { isSystemError } from "../disk/system-error.ts";
import { type KeptState, markKept, markPrint } from "../moves/kept-states.ts";
import { hasPrint, printOf } from "../moves/print-of.ts";
import { locateKept, notKept, readBlob } from "./blobs.ts";
import { splitChangeId } from "./join-changes.ts";
import type { StoredChange, StoredContent } from "./journal-line.ts";
import { findChange, type ReadRecording } from "./read-journal.ts";
import { applySplice } from "./splice.ts";

/** A journal that was read, and the directory of its session. */
export interface OpenJournal {
  readonly directory: string;
  readonly recordings: readonly ReadRecording[];
}

/** The state of a path before a change. Content that was moved away is read when it is used. */
export function stateBefore(change: StoredChange, journal: OpenJournal): PathState {
  const { path, before } = change;
  const state = toState(before, () => contentBefore(change, journal), isMoved(change));
  if (!isMoved(change)) return state;
  if ("print" in before) markPrint(state, before.print ?? "");
  const { kept = "" } = before.kind !== "absent" && "kept" in before ? before : {};
  const source = kept === "" ? {} : { source: locateKept(journal.directory, kept) };
  // Redoing a change leaves the journal as if it had never been undone.
  return markKept(state, { path, ...source, ...findOrigin(change, journal) });
}

/** The state of a path after a change. */
export function stateAfter(change: StoredChange, journal: OpenJournal): PathState {
  const isLazy = "print" in change.after;
  const state = toState(change.after, () => contentAfter(change, journal), isLazy);
  return "print" in change.after ? markPrint(state, change.after.print ?? "") : state;
}

function toState(
  stored: StoredChange["before"] | StoredChange["after"],
  read: () => Uint8Array,
  isLazy: boolean,
): PathState {
  switch (stored.kind) {
    case "absent":
      return { kind: "absent" };
    case "link":
      return { kind: "link", target: stored.target };
    case "directory":
      return { kind: "directory", ...withMode(stored.mode) };
    case "file": {
      const mode = withMode(stored.mode);
      if (!isLazy) return { kind: "file", content: read(), ...mode };
      let content: Uint8Array | undefined;
      return {
        kind: "file",
        ...mode,
        get content() {
          content ??= read();
          return content;
        },
      };
    }
  }
}

function withMode(mode: number | undefined): { readonly mode?: number } {
  return mode === undefined ? {} : { mode };
}

/** Whether a change was made by moving entries. */
export function isMoved({ before, after }: StoredChange): boolean {
  return "print" in before || "print" in after;
}

/** Where what was there before the change that this one undoes was kept. */
export function findOrigin(
  { undoes }: StoredChange,
  journal: OpenJournal,
): Pick<KeptState, "keptAt"> {
  const oldest = undoes === undefined ? undefined : splitChangeId(undoes).at(-1);
  const undone = oldest === undefined ? undefined : findChange(journal.recordings, oldest);
  const before = undone?.before;
  return before !== undefined && "kept" in before && before.kept ? { keptAt: before.kept } : {};
}

function contentBefore(change: StoredChange, journal: OpenJournal): Uint8Array {
  const { before, path } = change;
  if (before.kind !== "file") return nothing;
  if ("kept" in before) {
    // Only the permissions changed, so the content is where it was.
    if (before.kept === "") return readPrinted(path, before.print, path);
    return readPrinted(locateKept(journal.directory, before.kept), before.print, path);
  }
  if (!("left_by" in before)) return contentOf(before, journal);
  const earlier = findChange(journal.recordings, before.left_by);
  if (earlier === undefined) throw incomplete();
  return contentAfter(earlier, journal);
}

function contentAfter(change: StoredChange, journal: OpenJournal): Uint8Array {
  const { after } = change;
  if (after.kind !== "file") throw incomplete();
  if (!("head" in after)) return readPrinted(change.path, after.print, change.path);
  const { head, tail } = after;
  const inserted = contentOf(after, journal);
  // The previous content is needed only if some of it is kept.
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

// What is read is what was looked at, wherever the path leads by then.
function readPrinted(file: string, print: string, path: string): Uint8Array {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  let fd: number | undefined;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const found = fstatSync(fd, { bigint: true });
    const isSame = file === path ? printOf(found) === print : hasPrint(found, print);
    if (found.isFile() && isSame) return new Uint8Array(readFileSync(fd));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  throw notKept(`what ${path} held is no longer kept, or was changed`);
}

function incomplete(): ToolError {
  return new ToolError(
    "failed",
    "The change can't be undone: the journal no longer has all of it.",
  );
}
