import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { holdsState } from "../disk/holds-state.ts";
import type { Pinning } from "../disk/pin.ts";
import { putState } from "../disk/put-state.ts";
import { reachPath } from "../disk/reach-path.ts";
import { isSystemError } from "../disk/system-error.ts";
import { tryLock, unlock } from "../locks/lock-file.ts";
import { type InterruptedMove, type MovedState, recoverMoves } from "../moves/recover-moves.ts";
import { locateKept } from "./blobs.ts";
import type { StoredChange } from "./journal-line.ts";
import { JournalWriter } from "./journal-writer.ts";
import type { PendingChanges, PendingList } from "./pending-changes.ts";
import { readJournal } from "./read-journal.ts";
import {
  findOrigin,
  isMoved,
  type OpenJournal,
  stateAfter,
  stateBefore,
} from "./restore-change.ts";
import { locateSession, type SessionOrigin } from "./session-directory.ts";

/** Undoes what processes that died left half done in a workspace, in any session. */
export function recoverChanges(
  pending: PendingList,
  origin: SessionOrigin & { readonly pinning: Pinning },
): void {
  for (const changes of pending.findAbandoned()) {
    const lock = join(origin.stateDirectory, "locks", hash("sha256", `recover ${changes.id}`));
    if (tryLock(lock) === "busy") continue;
    try {
      recoverOne(changes, origin);
      pending.remove(changes.id);
    } catch (error) {
      if (!ToolError.isInstance(error) && !isSystemError(error)) throw error;
      // A failure here must not keep the session from opening.
      warn(changes.id, error.message);
    } finally {
      unlock(lock);
    }
  }
}

function recoverOne(
  { id, session: name }: PendingChanges,
  origin: SessionOrigin & { readonly pinning: Pinning },
): void {
  const session = locateSession(name, origin);
  const journal: OpenJournal = { directory: session.path, recordings: readJournal(session.path) };
  const recording = journal.recordings.find((one) => one.id === id);
  if (recording === undefined || recording.end !== undefined) return;
  const { changes } = recording;
  const left = [
    ...changes
      .filter((change) => !isMoved(change))
      .toReversed()
      .filter((change) => !takeBack(change, journal, origin.pinning))
      .map(({ path }) => path),
    ...recoverMoves(
      changes.filter(isMoved).map((change) => toMove(change, journal)),
      origin.pinning,
    ),
  ];
  new JournalWriter(session).write({ version: 2, end: id, as: "dropped" }).leave();
  if (left.length === 0) return;
  warn(id, `check ${left.slice(0, 20).join(", ")}.`);
}

function toMove(change: StoredChange, journal: OpenJournal): InterruptedMove {
  const { path, before, after } = change;
  const locate = (kept: string | undefined): string | undefined =>
    kept ? locateKept(journal.directory, kept) : undefined;
  return {
    path,
    before: toMoved(before),
    after: toMoved(after),
    kept: locate("kept" in before ? before.kept : undefined),
    origin: locate(findOrigin(change, journal).keptAt),
  };
}

function toMoved(state: StoredChange["before"] | StoredChange["after"]): MovedState | undefined {
  if (state.kind === "absent" || !("print" in state)) return undefined;
  return { print: state.print ?? "", mode: state.kind === "link" ? undefined : state.mode };
}

// Whether the path is as it was before the change.
function takeBack(change: StoredChange, journal: OpenJournal, pinning: Pinning): boolean {
  try {
    const before = stateBefore(change, journal);
    const after = stateAfter(change, journal);
    return (
      reachPath(change.path, pinning, (place) => {
        const path = place.directory.at(place.name);
        if (holdsState(path, before)) return true;
        if (!holdsState(path, after)) return false;
        // Keep a directory into which others have put something by now.
        if (after.kind === "directory" && readdirSync(path).length > 0) return true;
        putState(place, before);
        return true;
      }) ?? false
    );
  } catch (error) {
    if (isSystemError(error) || ToolError.isInstance(error)) return false;
    throw error;
  }
}

const warned = new Set<string>();

function warn(id: string, reason: string): void {
  if (warned.has(id)) return;
  warned.add(id);
  process.emitWarning(
    `A change of several files was interrupted, and not all of it could be undone: ${reason}`,
    { code: "HAFT_CHANGE_CUT_OFF" },
  );
}
