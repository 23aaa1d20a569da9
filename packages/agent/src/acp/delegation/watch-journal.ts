import type { FileChange, Journal, Recording } from "@haft/core";
import type { TracedChange } from "./call-traces.ts";
import { decodeText } from "./decode-text.ts";

/** What is wanted of a journal that is watched. */
export interface JournalWatch {
  /** Is told of each change of a text file that took effect. */
  noteChange(callId: string, change: TracedChange): void;
  /** What a file held for the person before a change, where that is not what the disk held. */
  findStandIn(path: string): Uint8Array | undefined;
}

/**
 * Makes what puts a watch in front of journals. The same journal gets the same watch again: the disk
 * remembers by journal what it left where.
 */
export function createJournalWatch(watch: JournalWatch): (journal: Journal) => Journal {
  const watched = new WeakMap<Journal, Journal>();
  return (journal) => {
    const known = watched.get(journal);
    if (known !== undefined) return known;
    const made: Journal = {
      latest: (path) => journal.latest(path),
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

// What speaks of the bytes on the disk does not hold for those that stand in for them.
function standIn(change: FileChange, watch: JournalWatch): FileChange {
  const content = watch.findStandIn(change.path);
  if (content === undefined || change.before.kind !== "file") return change;
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
    done: () => {
      note();
      return recording.done();
    },
    dropped: () => recording.dropped(),
  };
}

// More than this no client shows as a difference.
const mostShownBytes = 1024 * 1024;

function trace({ callId, path, before, after }: FileChange): (TracedChange & { callId: string })[] {
  const oldText = textOf(before);
  const newText = oldText === null ? null : textOf(after);
  if (oldText === null || newText === null) return [];
  if (oldText === undefined && newText === undefined) return [];
  return [{ callId, path, oldText, newText: newText ?? "" }];
}

/** `undefined` where nothing is, `null` where it can't be shown. */
function textOf(state: FileChange["before"]): string | undefined | null {
  if (state.kind === "absent") return undefined;
  if (state.kind !== "file") return null;
  const { content } = state;
  return content.length > mostShownBytes ? null : (decodeText(content) ?? null);
}
