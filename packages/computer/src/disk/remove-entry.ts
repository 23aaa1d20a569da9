import { type BigIntStats, opendirSync, rmdirSync, unlinkSync } from "node:fs";
import { changedMeanwhile, isRoot, notEmpty, notFound, notRegular } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { openPlace, type Place } from "./place.ts";
import { isUnchanged, lookAt, takeSnapshot } from "./snapshot.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Removes a file, a link itself, or an empty directory. */
export async function removeEntry(asked: string, call: DiskCall): Promise<void> {
  const place = openPlace(asked, {}, call);
  try {
    const found = lookAt(place);
    if (found === undefined) throw notFound(asked);
    if (call.roots.includes(place.landing)) throw isRoot(asked);
    if (found.isDirectory()) removeDirectory(place, asked, call);
    else await removeFile(place, { asked, found }, call);
    call.scope.changed(place.landing);
    await syncDirectory(place.directory);
  } catch (error) {
    throw explainFailure(error, { asked, access: "change" }, call);
  } finally {
    place.directory.close();
  }
}

function removeDirectory(place: Place, asked: string, call: DiskCall): void {
  const path = place.directory.at(place.name);
  if (!isEmpty(path)) throw notEmpty(asked);
  recordRemoval(place, undefined, call);
  rmdirSync(path);
}

async function removeFile(
  place: Place,
  { asked, found }: { readonly asked: string; readonly found: BigIntStats },
  call: DiskCall,
): Promise<void> {
  if (!found.isFile() && !found.isSymbolicLink()) throw notRegular(asked);
  const before = found.isFile() ? await takeSnapshot(place, asked) : undefined;
  recordRemoval(place, before, call);
  if (!isUnchanged(place, before?.stats ?? found)) throw changedMeanwhile(asked);
  unlinkSync(place.directory.at(place.name));
}

function recordRemoval(
  place: Place,
  before: { readonly content: Uint8Array; readonly stats: BigIntStats } | undefined,
  call: DiskCall,
): void {
  call.scope.journal.record({
    callId: call.scope.callId,
    path: place.landing,
    before: before?.content,
    after: undefined,
    modeBefore: before && Number(before.stats.mode & 0o7777n),
  });
}

function isEmpty(path: string): boolean {
  const directory = opendirSync(path);
  try {
    return directory.readSync() === null;
  } finally {
    directory.closeSync();
  }
}
