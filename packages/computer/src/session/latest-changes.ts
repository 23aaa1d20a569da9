import { type PastChange, ToolError } from "@haft/contract";
import { holdsState } from "../disk/holds-state.ts";
import { isSameState } from "../paths/path-state.ts";
import { joinChanges } from "./join-changes.ts";
import type { StoredChange } from "./journal-line.ts";
import { idOfChange, type ReadRecording, readJournal } from "./read-journal.ts";
import { type OpenJournal, stateAfter, stateBefore } from "./restore-change.ts";
import { findStanding, type NotedChange } from "./standing-changes.ts";

/** The latest changes that a session's journal has and that nobody has taken back. */
export function latestChanges(
  directory: string,
  paths: readonly string[] | undefined,
): PastChange[] {
  const journal: OpenJournal = { directory, recordings: readJournal(directory) };
  const standing = findStanding(newestFirst(journal.recordings), {
    isWanted: (path) => paths?.includes(path) ?? true,
    ofOneCall: paths === undefined,
    isInEffect: ({ stored }) => isInEffect(stored, journal),
  });
  return joinChanges(standing.map((noted) => toPastChange(noted, journal)));
}

interface Noted extends NotedChange {
  readonly stored: StoredChange;
  readonly recording: ReadRecording;
}

function* newestFirst(recordings: readonly ReadRecording[]): Generator<Noted> {
  for (const recording of recordings.toReversed()) {
    const { id, run, call_id, changes, end } = recording;
    // Several that nobody noted the end of are still under way.
    if (end === "dropped" || (changes.length > 1 && end === undefined)) continue;
    for (const [index, stored] of [...changes.entries()].reverse()) {
      const { path, undoes } = stored;
      yield {
        id: idOfChange(id, index),
        call: `${run} ${call_id}`,
        path,
        undoes,
        stored,
        recording,
      };
    }
  }
}

// A process may have died between the journal and the change; or somebody took it back by hand.
function isInEffect(change: StoredChange, journal: OpenJournal): boolean {
  try {
    const before = stateBefore(change, journal);
    // To take back what was back already is to say so.
    if (change.undoes !== undefined && isSameState(before, stateAfter(change, journal)))
      return true;
    return !holdsState(change.path, before);
  } catch (error) {
    // What it replaced is lost, so we can't tell. Whoever wants to undo it will learn why.
    if (ToolError.isInstance(error)) return true;
    throw error;
  }
}

function toPastChange({ id, stored, recording }: Noted, journal: OpenJournal): PastChange {
  const { path } = stored;
  const { call_id: callId, at } = recording;
  try {
    const before = stateBefore(stored, journal);
    const together = recording.changes.map((one) => one.path).filter((one) => one !== path);
    return { id, callId, path, at, before, after: stateAfter(stored, journal), together };
  } catch (error) {
    if (!ToolError.isInstance(error)) throw error;
    throw new ToolError(error.code, `${path}: ${error.message}`, { absolutePath: path });
  }
}
