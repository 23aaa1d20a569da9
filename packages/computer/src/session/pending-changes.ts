import { lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";
import { flushPath } from "./flush-path.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile } from "./small-file.ts";

/** Changes of several paths that a process is making, or was making when it died. */
export interface PendingChanges {
  /** The journal line that describes them. */
  readonly id: string;
  /** The name of the session. */
  readonly session: string;
}

/** The changes under way in a workspace, in any session. */
export interface PendingList {
  /** Records that changes are about to begin; the returned function flushes the record. */
  add(pending: PendingChanges): () => Promise<void>;
  /** Records that the changes are over. */
  remove(id: string): void;
  /** Changes of processes that died. Costs almost nothing while no changes begin or end. */
  findAbandoned(): readonly PendingChanges[];
}

interface Note extends PendingChanges {
  readonly owner: ProcessIdentity;
}

// The grace period of a process that can't be checked, in another container for example.
const forgottenAfterMs = 10 * 60 * 1000;

/** Opens the list in a directory, which is created when first needed. */
export function openPendingList(directory: string): PendingList {
  let quiet: bigint | undefined;
  return {
    add: (pending) => {
      const note: Note = { ...pending, owner: identifyProcess() };
      makeDirectories(directory, 0o700);
      const path = join(directory, pending.id);
      writeFileSync(path, JSON.stringify(note), { flag: "wx", mode: 0o600 });
      return async () => {
        await Promise.all([flushPath(path), flushPath(directory)]);
      };
    },
    remove: (id) => rmSync(join(directory, id), { force: true }),
    findAbandoned: () => {
      const modified = findModified(directory);
      if (modified === undefined || modified === quiet) return [];
      const notes = namesIn(directory).flatMap((name) => readNote(join(directory, name)));
      quiet = notes.length === 0 ? modified : undefined;
      return notes.filter((note) => isAbandoned(note, directory));
    },
  };
}

function isAbandoned({ id, owner }: Note, directory: string): boolean {
  const runs = isRunning(owner);
  if (runs !== undefined) return !runs;
  const found = lstatSync(join(directory, id), { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > forgottenAfterMs;
}

function readNote(file: string): Note[] {
  try {
    const note = JSON.parse(readSmallFile(file) ?? "") as Note;
    return typeof note.id === "string" && typeof note.owner?.pid === "number" ? [note] : [];
  } catch {
    // Its process is just writing it, or died before anything was changed.
    return [];
  }
}

function findModified(directory: string): bigint | undefined {
  try {
    return lstatSync(directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}
