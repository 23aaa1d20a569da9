import type { PastChange, PathState } from "@haft/contract";
import type { FileChange, Journal } from "@haft/core";
import { copyState, isSameState } from "../paths/path-state.ts";
import { joinChanges } from "../session/join-changes.ts";
import { findStanding, type NotedChange } from "../session/standing-changes.ts";

/** A journal that lives as long as the process. */
export interface MemoryJournal extends Journal {
  /** Recorded changes that took effect, oldest first. */
  readonly changes: readonly FileChange[];
}

interface Note extends NotedChange {
  readonly past: PastChange;
}

/** Creates an empty journal; `stateAt` reads the current state of a path. */
export function createMemoryJournal(stateAt: (path: string) => PathState): MemoryJournal {
  const changes: FileChange[] = [];
  const notes: Note[] = [];
  let count = 0;
  return {
    changes,
    record: (told) => {
      const copies = told.map((change): FileChange => {
        const { keep: _keep, follows: _follows, ...kept } = change;
        return { ...kept, before: copyState(change.before), after: copyState(change.after) };
      });
      const added = copies.map((change): Note => {
        count++;
        const together = told.map(({ path }) => path).filter((path) => path !== change.path);
        return toNote(change, { id: `m${count.toString(36)}`, together });
      });
      changes.push(...copies);
      notes.push(...added);
      return {
        ids: added.map(({ id }) => id),
        done: () => {},
        dropped: () => {
          removeAll(changes, copies);
          removeAll(notes, added);
        },
      };
    },
    latest: async (path) => {
      const standing = findStanding(notes.toReversed(), {
        isWanted: (one) => path === undefined || one === path,
        ofOneCall: path === undefined,
        isInEffect: ({ past, undoes }) => {
          // Undoing what was reverted already only records that.
          if (undoes !== undefined && isSameState(past.before, past.after)) return true;
          return !isSameState(past.before, stateAt(past.path));
        },
      });
      return joinChanges(standing.map(({ past }) => past)).map((past) => ({
        ...past,
        before: copyState(past.before),
        after: copyState(past.after),
      }));
    },
  };
}

function toNote(
  { callId, path, before, after, undoes }: FileChange,
  { id, together }: { readonly id: string; readonly together: readonly string[] },
): Note {
  const past: PastChange = { id, callId, path, at: Date.now(), before, after, together };
  return { id, call: callId, path, undoes, past };
}

function removeAll<Entry>(entries: Entry[], gone: readonly Entry[]): void {
  for (const entry of gone) entries.splice(entries.indexOf(entry), 1);
}
