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
import type { StoredChange } from "./journal-line.ts";
import { JournalWriter } from "./journal-writer.ts";
import type { PendingChanges, PendingList } from "./pending-changes.ts";
import { readJournal } from "./read-journal.ts";
import { type OpenJournal, stateAfter, stateBefore } from "./restore-change.ts";
import { locateSession, type SessionOrigin } from "./session-directory.ts";

/** Takes back what processes that died left half done in a workspace, in whichever session. */
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
      // Whoever opens a session now has other things to do.
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
  const left = recording.changes
    .toReversed()
    .filter((change) => !takeBack(change, journal, origin.pinning));
  new JournalWriter(session).write({ version: 2, end: id, as: "dropped" }).leave();
  if (left.length === 0) return;
  const paths = left.map(({ path }) => path).join(", ");
  warn(id, `look at ${paths}.`);
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
        // A directory that somebody has put something into by now is of use to them.
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
    `A change of several files was cut off, and not all of it could be taken back: ${reason}`,
    { code: "HAFT_CHANGE_CUT_OFF" },
  );
}
