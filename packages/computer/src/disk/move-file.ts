import { type BigIntStats, unlinkSync } from "node:fs";
import {
  alreadyExists,
  changedMeanwhile,
  isDirectory,
  notFound,
  notRegular,
} from "../paths/path-errors.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { moveToFree } from "./move-to-free.ts";
import { openPlace, type Place } from "./place.ts";
import { isUnchanged, lookAt, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { syncDirectory } from "./sync-directory.ts";
import { isSystemError } from "./system-error.ts";
import { writeTemporaryFile } from "./temporary-file.ts";

/** Both ends of a move, as absolute paths. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Moves a file, or a link itself, to a name that is free. */
export async function moveFile({ from, to }: Move, call: DiskCall): Promise<void> {
  // Under another name a secret could be read.
  call.policy.judge("read", from, from);
  const source = openPlace(from, {}, call);
  let target: Place | undefined;
  try {
    call.policy.judge("read", source.landing, from);
    target = openPlace(to, {}, call);
    const seen = await inspect(source, from, call);
    if (lookAt(target) !== undefined) throw alreadyExists(to);
    const ends = { source, target, from, to };
    recordMove(seen, ends, call);
    await carry(seen, ends);
    call.scope.changed(source.landing);
    call.scope.changed(target.landing);
    await syncDirectory(target.directory);
    await syncDirectory(source.directory);
  } catch (error) {
    throw explainFailure(error, { asked: to, access: "change" }, call);
  } finally {
    target?.directory.close();
    source.directory.close();
  }
}

interface Ends extends Move {
  readonly source: Place;
  readonly target: Place;
}

interface Seen {
  readonly stats: BigIntStats;
  /** Absent for a link. */
  readonly file?: Snapshot;
}

async function inspect(source: Place, from: string, call: DiskCall): Promise<Seen> {
  const stats = lookAt(source);
  if (stats === undefined) throw notFound(from);
  if (stats.isSymbolicLink()) return { stats };
  if (stats.isDirectory()) throw isDirectory(from);
  if (!stats.isFile()) throw notRegular(from);
  try {
    const file = await takeSnapshot(source, from);
    return { stats: file.stats, file };
  } catch (error) {
    throw explainFailure(error, { asked: from, access: "change" }, call);
  }
}

function recordMove({ file }: Seen, { source, target }: Ends, call: DiskCall): void {
  const { callId, journal } = call.scope;
  journal.record({
    callId,
    path: source.landing,
    before: file?.content,
    after: undefined,
    modeBefore: file && Number(file.stats.mode & 0o7777n),
  });
  journal.record({
    callId,
    path: target.landing,
    before: undefined,
    after: file?.content,
    modeBefore: undefined,
  });
}

async function carry(seen: Seen, { source, target, from, to }: Ends): Promise<void> {
  if (!isUnchanged(source, seen.stats)) throw changedMeanwhile(from);
  const path = source.directory.at(source.name);
  try {
    moveToFree(path, target, to);
  } catch (error) {
    const isOtherDisk = isSystemError(error) && error.code === "EXDEV";
    if (!isOtherDisk || seen.file === undefined) throw error;
    await copyAcross(seen.file, target, to);
    if (!isUnchanged(source, seen.stats)) {
      unlinkSync(target.directory.at(target.name));
      throw changedMeanwhile(from);
    }
    unlinkSync(path);
  }
}

async function copyAcross(file: Snapshot, target: Place, to: string): Promise<void> {
  const copy = await writeTemporaryFile(target.directory, file.content, file.stats);
  try {
    moveToFree(target.directory.at(copy.name), target, to);
  } finally {
    copy.drop();
  }
}
