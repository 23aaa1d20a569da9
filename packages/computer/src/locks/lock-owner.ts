import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../session/make-directories.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "./process-identity.ts";

/** The owner of a lock. */
export interface LockOwner extends ProcessIdentity {
  /** Unique, even when a process ID is reused. */
  readonly nonce: string;
}

/** This process as the owner of locks, on one file system. */
export interface OwnLocks {
  /** A file that names this process: a lock is a hard link to it. */
  readonly file: string;
  readonly text: string;
}

const prefix = ".owner-";
const known = new Map<string, OwnLocks>();

/** Registers this process in a directory of locks, again if its file is gone. */
export function introduceOwner(directory: string): OwnLocks {
  const nonce = randomBytes(8).toString("hex");
  const owner: LockOwner = { ...identifyProcess(), nonce };
  const own = { file: join(directory, `${prefix}${nonce}`), text: JSON.stringify(owner) };
  makeDirectories(directory, 0o700);
  writeFileSync(own.file, own.text, { flag: "wx", mode: 0o600 });
  if (known.size === 0) process.once("exit", leaveAll);
  known.set(directory, own);
  sweepOwners(directory);
  return own;
}

/** This process in a directory of locks, if it was registered there. */
export function findOwner(directory: string): OwnLocks | undefined {
  return known.get(directory);
}

/** Reads the owner of a lock; `undefined` if the file does not name one. */
export function readOwner(file: string | number): LockOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(file, "utf8")) as LockOwner;
    return typeof owner.pid === "number" && /^[0-9a-f]{16}$/u.test(owner.nonce) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function leaveAll(): void {
  for (const { file } of known.values()) rmSync(file, { force: true });
}

// Leftovers of killed processes.
function sweepOwners(directory: string): void {
  try {
    for (const name of readdirSync(directory)) {
      if (!name.startsWith(prefix)) continue;
      const owner = readOwner(join(directory, name));
      if (owner !== undefined && isRunning(owner) === false) unlinkSync(join(directory, name));
    }
  } catch {
    // Another process may sweep at the same time.
  }
}
