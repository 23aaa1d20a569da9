import { lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";
import { flushPath } from "./flush-path.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile } from "./small-file.ts";

/** Changes of several paths that a process is at, or was when it died. */
export interface PendingChanges {
  /** The line of the journal that tells of them. */
  readonly id: string;
  /** The name of the session. */
  readonly session: string;
}

/** The changes of a workspace that are under way, in whichever session. */
export interface PendingList {
  /** Notes that changes are about to begin; what it returns puts the note onto the disk. */
  add(pending: PendingChanges): () => Promise<void>;
  /** The changes are over. */
  remove(id: string): void;
  /** What processes that died left. Costs next to nothing while nobody begins or ends. */
  findAbandoned(): readonly PendingChanges[];
}

interface Note extends PendingChanges {
  readonly owner: ProcessIdentity;
}

// Whom we can't ask, in another container, is given so long.
const forgottenAfterMs = 10 * 60 * 1000;

/** The list in a directory, which is made when it is first needed. */
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
    // Its process is only just writing it, or died before anything was changed.
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
