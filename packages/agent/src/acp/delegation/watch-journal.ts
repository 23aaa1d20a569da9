import type { FileChange, Journal, Recording } from "@haft/core";
import type { TracedChange } from "./call-traces.ts";
import { decodeText } from "./decode-text.ts";

/** What to do with a watched journal. */
export interface JournalWatch {
  /** Called for each change of a text file. */
  noteChange(callId: string, change: TracedChange): void;
  /** Returns the editor's content of a file before a change, if it differs from the disk. */
  findStandIn(path: string): Uint8Array | undefined;
}

/**
 * Returns a function that wraps journals to watch them. The same journal gets the same wrapper: the disk
 * identifies its data by journal.
 */
export function createJournalWatch(watch: JournalWatch): (journal: Journal) => Journal {
  const watched = new WeakMap<Journal, Journal>();
  return (journal) => {
    const known = watched.get(journal);
    if (known !== undefined) return known;
    const made: Journal = {
      latest: (path) => journal.latest(path),
      calls: async () => (await journal.calls?.()) ?? [],
      noteCall: (callId, title) => journal.noteCall?.(callId, title),
      record: (changes) => {
        const told = changes.map((change) => standIn(change, watch));
        const traced = told.flatMap(trace);
        const note = (): void => {
          for (const { callId, ...change } of traced) watch.noteChange(callId, change);
        };
        const recording = journal.record(told);
        return recording instanceof Promise
          ? recording.then((one) => follow(one, note))
          : follow(recording, note);
      },
    };
    watched.set(journal, made);
    return made;
  };
}

// Facts about the bytes on disk don't apply to the bytes that replace them.
function standIn(change: FileChange, watch: JournalWatch): FileChange {
  const content = watch.findStandIn(change.path);
  if (content === undefined || change.moved || change.before.kind !== "file") return change;
  const { callId, path, before, after, undoes } = change;
  return { callId, path, before: { ...before, content }, after, undoes };
}

function follow(recording: Recording | undefined, note: () => void): Recording | undefined {
  if (recording === undefined) {
    note();
    return undefined;
  }
  return {
    ids: recording.ids,
    placeOf: (index) => recording.placeOf?.(index),
    done: () => {
      note();
      return recording.done();
    },
    dropped: () => recording.dropped(),
  };
}

// Clients don't show larger diffs.
const maxShownBytes = 1024 * 1024;

function trace(change: FileChange): (TracedChange & { callId: string })[] {
  const { callId, path, before, after, moved } = change;
  // What the journal keeps itself is not read.
  if (moved) return [];
  const oldText = textOf(before);
  const newText = oldText === null ? null : textOf(after);
  if (oldText === null || newText === null) return [];
  if (oldText === undefined && newText === undefined) return [];
  return [{ callId, path, oldText, newText: newText ?? "" }];
}

/** `undefined` if there is no file, `null` if it can't be shown. */
function textOf(state: FileChange["before"]): string | undefined | null {
  if (state.kind === "absent") return undefined;
  if (state.kind !== "file") return null;
  const { content } = state;
  return content.length > maxShownBytes ? null : (decodeText(content) ?? null);
}
