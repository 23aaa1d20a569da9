import { type BigIntStats, readlinkSync, unlinkSync } from "node:fs";
import type { PathState } from "@haft/contract";
import type { Recording } from "@haft/core";
import {
  alreadyExists,
  changedMeanwhile,
  isDirectory,
  notFound,
  notRegular,
} from "../paths/path-errors.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { moveToFree } from "./move-to-free.ts";
import { openEntry } from "./open-entry.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { isUnchanged, lookAt, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { syncDirectories } from "./sync-directory.ts";
import { isSystemError } from "./system-error.ts";
import { writeTemporaryFile } from "./temporary-file.ts";
import { whenRecorded } from "./when-recorded.ts";

/** Both ends of a move, as absolute paths. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Moves a file, or a link itself, to an unused name. */
export async function moveFile({ from, to }: Move, call: DiskCall): Promise<void> {
  const { policy, scope } = call;
  // Under another name a secret could be read.
  policy.judge("read", from, from);
  const source = openEntry(from, {}, call);
  let target: PinnedEntry | undefined;
  let recording: Recording | undefined;
  try {
    policy.judge("read", source.landing, from);
    target = openEntry(to, {}, call);
    const seen = await inspectSource(source, from, call);
    if (lookAt(target) !== undefined) throw alreadyExists(to);
    recording = await recordMove(seen, { source, target }, call);
    await carry(seen, { source, target, from, to }, call);
    const done = recording;
    recording = undefined;
    scope.changed(source.landing);
    scope.changed(target.landing);
    if (call.flush) await syncDirectories([target.directory, source.directory]);
    await done?.done();
  } catch (error) {
    recording?.dropped();
    throw explainFailure(error, { asked: to, access: "change" }, call);
  } finally {
    target?.directory.close();
    source.directory.close();
  }
}

interface Ends extends Move {
  readonly source: PinnedEntry;
  readonly target: PinnedEntry;
}

interface Seen {
  readonly stats: BigIntStats;
  readonly state: PathState;
  /** Absent for a link. */
  readonly file?: Snapshot;
}

async function inspectSource(source: PinnedEntry, from: string, call: DiskCall): Promise<Seen> {
  const stats = lookAt(source);
  if (stats === undefined) throw notFound(from);
  if (stats.isDirectory()) throw isDirectory(from);
  if (stats.isSymbolicLink()) {
    const target = readlinkSync(source.directory.at(source.name));
    return { stats, state: { kind: "link", target } };
  }
  if (!stats.isFile()) throw notRegular(from);
  try {
    const file = await takeSnapshot(source, from);
    return { stats: file.stats, state: file.state, file };
  } catch (error) {
    throw explainFailure(error, { asked: from, access: "change" }, call);
  }
}

// The file stays under another name, where its user may change it: the journal needs a copy.
async function recordMove(
  { state }: Seen,
  { source, target }: Pick<Ends, "source" | "target">,
  { scope: { callId, journal } }: DiskCall,
): Promise<Recording | undefined> {
  const absent: PathState = { kind: "absent" };
  const recorded = journal.record([
    { callId, path: source.landing, before: state, after: absent },
    { callId, path: target.landing, before: absent, after: state },
  ]);
  return whenRecorded(recorded, []);
}

async function carry(
  seen: Seen,
  { source, target, from, to }: Ends,
  call: DiskCall,
): Promise<void> {
  if (!isUnchanged(source, seen.stats)) throw changedMeanwhile(from);
  const path = source.directory.at(source.name);
  try {
    moveToFree(path, target, to);
  } catch (error) {
    const isOtherDisk = isSystemError(error) && error.code === "EXDEV";
    if (!isOtherDisk || seen.file === undefined) throw error;
    await copyAcross(seen.file, { target, to }, call);
    if (!isUnchanged(source, seen.stats)) {
      unlinkSync(target.directory.at(target.name));
      throw changedMeanwhile(from);
    }
    unlinkSync(path);
  }
}

async function copyAcross(
  file: Snapshot,
  { target, to }: Pick<Ends, "target" | "to">,
  { flush }: DiskCall,
): Promise<void> {
  const options = { like: file.stats, flush, inTurns: true };
  const copy = writeTemporaryFile(target.directory, [file.content], options);
  try {
    await copy.ready;
    moveToFree(target.directory.at(copy.name), target, to);
    copy.moved();
  } finally {
    await copy.drop();
  }
}
