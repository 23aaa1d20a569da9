import { accessSync, type BigIntStats, constants, fstatSync, renameSync } from "node:fs";
import type { WriteOptions, WriteReceipt } from "@haft/contract";
import { changedMeanwhile } from "../paths/path-errors.ts";
import { requireVersion } from "../paths/require-version.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { moveToFree } from "./move-to-free.ts";
import { openPlace, type Place } from "./place.ts";
import { requireRegular } from "./read-file.ts";
import { isUnchanged, lookAt, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { syncDirectory } from "./sync-directory.ts";
import { type TemporaryFile, writeTemporaryFile } from "./temporary-file.ts";

/** What to write, and on which conditions. */
export interface Replacement {
  readonly content: Uint8Array;
  readonly options: WriteOptions;
}

/** Replaces a file in one step, or makes it: whoever looks sees the old bytes or the new ones. */
export async function replaceFile(
  asked: string,
  replacement: Replacement,
  call: DiskCall,
): Promise<WriteReceipt> {
  const { content, options } = replacement;
  const place = openPlace(asked, { followLink: true, parents: options.parents ?? false }, call);
  let temporary: TemporaryFile | undefined;
  try {
    const found = lookAt(place);
    requireWritable(place, found, asked);
    requireVersion(found && versionOf(found), options.expect, asked);
    temporary = await writeTemporaryFile(place.directory, content, found);
    const before = await swapIn(temporary, { place, asked, replacement }, call);
    call.scope.changed(place.landing);
    const version = versionOf(fstatSync(temporary.fd, { bigint: true }));
    await syncDirectory(place.directory);
    sweepTemporaries(place.directory);
    return { created: before === undefined, version };
  } catch (error) {
    throw explainFailure(error, { asked, access: "change" }, call);
  } finally {
    temporary?.drop();
    place.directory.close();
  }
}

function requireWritable(place: Place, found: BigIntStats | undefined, asked: string): void {
  if (found === undefined) return;
  requireRegular(found, asked);
  // A rename needs no permission on the file that it replaces, but whoever took it away meant it.
  accessSync(place.directory.at(place.name), constants.W_OK);
}

const mostAttempts = 3;

async function swapIn(
  temporary: TemporaryFile,
  target: { readonly place: Place; readonly asked: string; readonly replacement: Replacement },
  call: DiskCall,
): Promise<Snapshot | undefined> {
  const { place, asked, replacement } = target;
  for (let attempt = 1; ; attempt++) {
    const before = lookAt(place) === undefined ? undefined : await takeSnapshot(place, asked);
    requireVersion(before && versionOf(before.stats), replacement.options.expect, asked);
    call.scope.journal.record({
      callId: call.scope.callId,
      path: place.landing,
      before: before?.content,
      after: replacement.content,
      modeBefore: before && Number(before.stats.mode & 0o7777n),
    });
    // What the journal kept must be what is replaced; from here on nothing waits.
    if (isUnchanged(place, before?.stats)) {
      const from = place.directory.at(temporary.name);
      if (before === undefined) moveToFree(from, place, asked);
      else renameSync(from, place.directory.at(place.name));
      return before;
    }
    if (replacement.options.expect !== undefined || attempt === mostAttempts) {
      throw changedMeanwhile(asked);
    }
  }
}
