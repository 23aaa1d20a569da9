import { opendirSync, rmdirSync, unlinkSync } from "node:fs";
import type { Recording } from "@haft/core";
import { changedMeanwhile, isRoot, notEmpty, notFound } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { inspectEntry } from "./inspect-entry.ts";
import { openEntry } from "./open-entry.ts";
import { isUnchanged } from "./snapshot.ts";
import { syncDirectory } from "./sync-directory.ts";
import { whenRecorded } from "./when-recorded.ts";

/** Removes a file, a link itself, or an empty directory. */
export async function removeEntry(asked: string, call: DiskCall): Promise<void> {
  const { scope, roots, flush } = call;
  const place = openEntry(asked, {}, call);
  let recording: Recording | undefined;
  try {
    const { found } = place;
    if (found === undefined) throw notFound(asked);
    if (roots.includes(place.landing)) throw isRoot(asked);
    const path = place.directory.at(place.name);
    if (found.isDirectory() && !isEmpty(path)) throw notEmpty(asked);
    const seen = await inspectEntry(place, { asked, found }, call);
    recording = await whenRecorded(
      scope.journal.record([
        { callId: scope.callId, path: place.landing, after: { kind: "absent" }, ...seen.before },
      ]),
      [],
    );
    if (found.isDirectory()) {
      rmdirSync(path);
    } else {
      if (!isUnchanged(place, seen.stats())) throw changedMeanwhile(asked);
      unlinkSync(path);
    }
    const done = recording;
    recording = undefined;
    await done?.done();
    scope.changed(place.landing);
    if (flush) await syncDirectory(place.directory);
  } catch (error) {
    recording?.dropped();
    throw explainFailure(error, { asked, access: "change" }, call);
  } finally {
    place.directory.close();
  }
}

function isEmpty(path: string): boolean {
  const directory = opendirSync(path);
  try {
    return directory.readSync() === null;
  } finally {
    directory.closeSync();
  }
}
