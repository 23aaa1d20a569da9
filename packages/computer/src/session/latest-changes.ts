import { hash } from "node:crypto";
import { lstatSync } from "node:fs";
import { type PastCall, type PastChange, ToolError } from "@haft/contract";
import { versionOf } from "../disk/file-version.ts";
import { holdsState } from "../disk/holds-state.ts";
import { PlainEntries, printOf } from "../moves/print-of.ts";
import { isSameState } from "../paths/path-state.ts";
import { joinChanges, splitChangeId } from "./join-changes.ts";
import type { StoredChange } from "./journal-line.ts";
import {
  findChange,
  idOfChange,
  isSeveral,
  type ReadRecording,
  readJournal,
} from "./read-journal.ts";
import { isMoved, type OpenJournal, stateAfter, stateBefore } from "./restore-change.ts";
import { eachStanding, findStanding, type NotedChange } from "./standing-changes.ts";

/** Returns the latest changes in a session's journal that were not undone. */
export function latestChanges(
  directory: string,
  paths: readonly string[] | undefined,
): PastChange[] {
  const journal = openJournal(directory);
  const standing = findStanding(newestFirst(journal.recordings), {
    isWanted: (path) => paths?.includes(path) ?? true,
    ofOneCall: paths === undefined,
    isInEffect: ({ stored }) => isInEffect(stored, journal),
  });
  return toPastChanges(standing, journal);
}

/** Returns the calls whose changes stand, and the undos that were not redone, newest first. */
export function pastCalls(directory: string): PastCall[] {
  const journal = openJournal(directory);
  const byCall = new Map<string, Noted[]>();
  for (const noted of eachStanding(newestFirst(journal.recordings), ({ stored }) =>
    isInEffect(stored, journal),
  )) {
    if (isRedo(noted, journal)) continue;
    const others = byCall.get(noted.call);
    if (others === undefined) byCall.set(noted.call, [noted]);
    else others.push(noted);
  }
  return Array.from(byCall.entries(), ([call, all]): PastCall => {
    const { call_id: callId, at, tool, title } = (all[0] as Noted).recording;
    return {
      id: hash("sha256", call).slice(0, 8),
      callId,
      at,
      ...(tool !== undefined && { tool }),
      ...(title !== undefined && { title }),
      isUndo: all.every(({ undoes }) => undoes !== undefined),
      paths: [...new Set(all.map(({ path }) => path))],
      changes: () => toPastChanges(all, journal),
    };
  });
}

interface ReadJournal extends OpenJournal {
  readonly entries: PlainEntries;
}

function openJournal(directory: string): ReadJournal {
  return { directory, recordings: readJournal(directory), entries: new PlainEntries() };
}

function isRedo({ undoes }: Noted, journal: OpenJournal): boolean {
  if (undoes === undefined) return false;
  const [undone = ""] = splitChangeId(undoes);
  return findChange(journal.recordings, undone)?.undoes !== undefined;
}

interface Noted extends NotedChange {
  readonly stored: StoredChange;
  readonly recording: ReadRecording;
}

function* newestFirst(recordings: readonly ReadRecording[]): Generator<Noted> {
  for (const recording of recordings.toReversed()) {
    const { id, run, call_id, end } = recording;
    if (end === "dropped") continue;
    const { changes } = recording;
    // Several changes without a recorded end are still under way.
    if (end === undefined && isSeveral(changes)) continue;
    const call = `${run} ${call_id}`;
    for (let index = changes.length - 1; index >= 0; index--) {
      const stored = changes[index] as StoredChange;
      if (stored.final) continue;
      const { path, undoes } = stored;
      yield { id: idOfChange(id, index), call, path, undoes, stored, recording };
    }
  }
}

// A process may have died between journal and change, or a person may have reverted it by hand.
function isInEffect(change: StoredChange, journal: ReadJournal): boolean {
  try {
    if (isModeChange(change)) return modeAt(change.path) !== change.before.mode;
    if (isMoved(change)) return !isAsBefore(change, journal.entries);
    const before = stateBefore(change, journal);
    // Undoing what was reverted already only records that.
    if (change.undoes !== undefined && isSameState(before, stateAfter(change, journal)))
      return true;
    return !holdsState(change.path, before);
  } catch (error) {
    // What it replaced is lost, so we can't tell. An undo will explain why it fails.
    if (ToolError.isInstance(error)) return true;
    throw error;
  }
}

function isAsBefore({ path, before }: StoredChange, entries: PlainEntries): boolean {
  const found = entries.find(path);
  if (before.kind === "absent") return found === undefined;
  return found !== undefined && "print" in before && printOf(found) === before.print;
}

/** Whether a change left the content of a file as it was and changed its permissions. */
function isModeChange(
  change: StoredChange,
): change is StoredChange & { readonly before: { readonly mode: number } } {
  const { before, after } = change;
  if (before.kind === "absent" || before.kind === "link" || before.kind !== after.kind)
    return false;
  if ("print" in before && "print" in after) return before.print === after.print;
  if (before.kind !== "file" || after.kind !== "file" || after.mode === undefined) return false;
  if (!("head" in after) || after.head + after.tail === 0) return false;
  return "text" in after && after.text === "" && before.mode !== after.mode;
}

function modeAt(path: string): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && found.mode & 0o7777;
}

function toPastChanges(all: readonly Noted[], journal: ReadJournal): PastChange[] {
  const together = new Map<ReadRecording, readonly string[]>();
  const pathsOf = (recording: ReadRecording): readonly string[] => {
    const known = together.get(recording) ?? recording.changes.map(({ path }) => path);
    together.set(recording, known);
    return known;
  };
  return joinChanges(
    all.map(({ id, stored, recording }) => {
      const { path } = stored;
      const { call_id: callId, at } = recording;
      try {
        const states = { before: stateBefore(stored, journal), after: stateAfter(stored, journal) };
        const version = findVersion(stored, journal.entries);
        return {
          ...{ id, callId, path, at, ...states, ...(version !== undefined && { version }) },
          // Only a few are of use: those of moves.
          together: isMoved(stored) ? [] : pathsOf(recording).filter((one) => one !== path),
        };
      } catch (error) {
        if (!ToolError.isInstance(error)) throw error;
        throw new ToolError(error.code, `${path}: ${error.message}`, { absolutePath: path });
      }
    }),
  );
}

/** The version of what a change moved to its path, if it is still there as it was. */
function findVersion(
  { path, before, after }: StoredChange,
  entries: PlainEntries,
): string | undefined {
  const isKept = "print" in before;
  const found = entries.find(path);
  if (after.kind === "absent") return isKept && found === undefined ? "absent" : undefined;
  if (!("print" in after)) return undefined;
  if (found === undefined || printOf(found) !== after.print) return undefined;
  const isSameMode = after.kind === "link" || Number(found.mode & 0o7777n) === after.mode;
  return isSameMode ? versionOf(found) : undefined;
}
