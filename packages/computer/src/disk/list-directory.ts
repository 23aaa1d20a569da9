import { type Dirent, opendirSync, readdirSync } from "node:fs";
import type { DirectoryEntry, FileKind } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import { notDirectory } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure, pinJudged } from "./disk-call.ts";
import { kindOf } from "./file-version.ts";
import type { Pin } from "./pin.ts";
import { sortInTurns } from "./sort-in-turns.ts";

/** Returns the names in a directory, sorted, each with the kind it has or leads to. */
export async function listDirectory(
  asked: string,
  call: DiskCall,
): Promise<readonly DirectoryEntry[]> {
  const pin = pinJudged(asked, "list", call);
  try {
    if (!pin.stats.isDirectory()) throw notDirectory(asked);
    const entries: DirectoryEntry[] = [];
    for (const entry of readEntries(pin)) {
      entries.push({ name: entry.name, kind: kindOfEntry(entry, pin, call) });
      if (isTimeSliceSpent()) await enterTimeSlice();
    }
    return await sortInTurns(entries);
  } catch (error) {
    throw explainFailure(error, { asked, access: "list" }, call);
  } finally {
    pin.close();
  }
}

// A directory of this many bytes has one or two thousand entries: about a millisecond of work.
const smallDirectory = 32 * 1024;

function readEntries(pin: Pin): Iterable<Dirent> {
  return pin.stats.size <= smallDirectory
    ? readdirSync(pin.reach, { withFileTypes: true })
    : readStepwise(pin);
}

function* readStepwise(pin: Pin): Generator<Dirent> {
  const directory = opendirSync(pin.reach, { bufferSize: 256 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync())
      yield entry;
  } finally {
    directory.closeSync();
  }
}

function kindOfEntry(entry: Dirent, directory: Pin, call: DiskCall): FileKind {
  if (!entry.isSymbolicLink()) return kindOf(entry);
  try {
    const target = call.pinning.pin(directory.at(entry.name));
    try {
      return call.policy.mayLook(target.landing) ? kindOf(target.stats) : "other";
    } finally {
      target.close();
    }
  } catch {
    // A dangling link.
    return "other";
  }
}
