import { fstatSync, readFileSync } from "node:fs";
import type { PathState, WriteOptions, WriteReceipt } from "@haft/contract";
import type { FileChange, Recording } from "@haft/core";
import { NewContent } from "../paths/new-content.ts";
import { changedMeanwhile } from "../paths/path-errors.ts";
import { requireVersion } from "../paths/require-version.ts";
import { describeMade } from "./describe-made.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { findLeft, noteLeft } from "./left-behind.ts";
import { openEntry } from "./open-entry.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { putInPlace } from "./put-state.ts";
import { removeMade } from "./reach-path.ts";
import { maxConcurrent } from "./read-bytes.ts";
import { requireWritable } from "./require-writable.ts";
import { borrowSnapshot, isUnchanged, lookAt, type Snapshot } from "./snapshot.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { syncDirectory } from "./sync-directory.ts";
import { type TemporaryFile, writeTemporaryFile } from "./temporary-file.ts";
import { whenRecorded } from "./when-recorded.ts";

/** What to write, and under which conditions. */
export interface Replacement {
  readonly content: NewContent;
  readonly options: WriteOptions;
}

/** Replaces or creates a file in one step: readers see the old bytes or the new ones. */
export async function replaceFile(
  asked: string,
  replacement: Replacement,
  call: DiskCall,
): Promise<WriteReceipt> {
  const { options } = replacement;
  const { flush, scope } = call;
  const place = openEntry(asked, { followLink: true, parents: options.parents ?? false }, call);
  let temporary: TemporaryFile | undefined;
  let before: Snapshot | undefined;
  try {
    const { found } = place;
    requireWritable(place, asked);
    requireVersion(found && versionOf(found), options.expect, asked);
    const content = ownIfLong(replacement);
    const { pieces } = content;
    temporary = writeTemporaryFile(place.directory, pieces, { like: found, flush, inTurns: true });
    const target = { place, asked, options, content };
    const swapped = await swapIn(temporary, target, call);
    const { recording } = swapped;
    before = swapped.before;
    scope.changed(place.landing);
    const version = versionOf(fstatSync(temporary.fd, { bigint: true }));
    const id = recording?.ids.at(-1);
    if (id !== undefined) noteLeft(scope.journal, place, { version, id });
    if (flush) await syncDirectory(place.directory);
    await recording?.done();
    sweepTemporaries(place.directory);
    return { created: before === undefined, version };
  } catch (error) {
    await temporary?.drop();
    temporary = undefined;
    removeMade(place.made, call.pinning);
    throw explainFailure(error, { asked, access: "change" }, call);
  } finally {
    // After the new name was flushed: freeing the old file would delay that.
    before?.release();
    await temporary?.drop();
    place.directory.close();
  }
}

// Short content is used before anything waits.
function ownIfLong({ content }: Replacement): NewContent {
  return content.length <= maxConcurrent ? content : content.own();
}

const maxAttempts = 3;

interface Target {
  readonly place: PinnedEntry;
  readonly asked: string;
  readonly options: WriteOptions;
  readonly content: NewContent;
}

interface Swapped {
  /** The replaced file, to be released. */
  readonly before: Snapshot | undefined;
  readonly recording: Recording | undefined;
}

async function swapIn(temporary: TemporaryFile, target: Target, call: DiskCall): Promise<Swapped> {
  const { place, asked, options } = target;
  let { found } = place;
  let { content } = target;
  for (let attempt = 1; ; attempt++) {
    const taken = found === undefined ? undefined : borrowSnapshot(place, asked);
    if (taken instanceof Promise) content = content.own();
    const before = taken instanceof Promise ? await taken : taken;
    try {
      requireVersion(before && versionOf(before.stats), options.expect, asked);
      const told = describe(before, { ...target, content }, call);
      const recording = await whenRecorded(call.scope.journal.record(told), [temporary.ready]);
      // What the journal kept must be what is replaced; no await from here on.
      if (isUnchanged(place, before?.stats)) {
        exchange(temporary, { place, found: before?.stats, asked }, recording);
        return { before, recording };
      }
      recording?.dropped();
    } catch (error) {
      before?.release();
      throw error;
    }
    before?.release();
    if (options.expect !== undefined || attempt === maxAttempts) throw changedMeanwhile(asked);
    found = lookAt(place);
    // The caller may have changed its bytes by now.
    content = NewContent.from(readFileSync(place.directory.at(temporary.name)), true);
  }
}

function exchange(
  temporary: TemporaryFile,
  target: Parameters<typeof putInPlace>[1],
  recording: Recording | undefined,
): void {
  try {
    putInPlace(temporary.name, target);
  } catch (error) {
    recording?.dropped();
    throw error;
  }
  temporary.moved();
}

function describe(
  before: Snapshot | undefined,
  { place, content }: Target,
  { scope }: DiskCall,
): FileChange[] {
  const { callId, journal } = scope;
  const after: PathState = {
    kind: "file",
    get content() {
      return content.whole;
    },
  };
  const change = { callId, path: place.landing, after };
  if (before === undefined) {
    return [...describeMade(place, callId), { ...change, before: { kind: "absent" } }];
  }
  const { state, stats, keep } = before;
  const follows = findLeft(journal, place, stats);
  return [{ ...change, before: state, splice: content.splice, follows, keep }];
}
