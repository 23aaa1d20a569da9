import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import {
  findOwner,
  introduceOwner,
  type LockOwner,
  type OwnLocks,
  readOwner,
} from "./lock-owner.ts";
import { isRunning } from "./process-identity.ts";

/**
 * Takes an exclusive lock, if it is free or its owner has died. `missing`: locks are not possible
 * here.
 */
export function tryLock(lock: string): "taken" | "busy" | "missing" {
  const directory = dirname(lock);
  let own = findOwner(directory);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    own ??= introduceQuietly(directory);
    if (own === undefined) return "missing";
    try {
      linkOwner(own, lock);
      return "taken";
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code === "ENOENT") own = undefined;
      else if (error.code !== "EEXIST") return "missing";
      else if (!breakAbandoned(lock)) return "busy";
    }
  }
  return "busy";
}

/** Releases a lock. */
export function unlock(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    // It may be gone with its directory; either way, the call that held it has succeeded.
    if (!isSystemError(error)) throw error;
  }
}

const maxAttempts = 4;

function introduceQuietly(directory: string): OwnLocks | undefined {
  try {
    return introduceOwner(directory);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

// One system call, so that a lock always names its owner.
function linkOwner(own: OwnLocks, lock: string): void {
  try {
    linkSync(own.file, lock);
  } catch (error) {
    if (!isSystemError(error) || !linksUnsupported.includes(error.code)) throw error;
    writeFileSync(lock, own.text, { flag: "wx", mode: 0o600 });
  }
}

const linksUnsupported: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

// Whether a lock is worth another try: it was released, or its owner is dead and it was broken.
function breakAbandoned(lock: string): boolean {
  let fd: number;
  try {
    fd = openSync(lock, "r");
  } catch (error) {
    return isSystemError(error) && error.code === "ENOENT";
  }
  try {
    const { ino, ctimeMs } = fstatSync(fd);
    const owner = readOwner(fd);
    const runs = owner && isRunning(owner);
    if (runs === true) return false;
    // No lock is held for so long, and an owner that can't be checked may have died.
    if (runs === undefined && Date.now() - ctimeMs < forgottenAfterMs) return false;
    return breakLock(lock, { ino, owner });
  } finally {
    closeSync(fd);
  }
}

const forgottenAfterMs = 10 * 60 * 1000;
const markerAfterMs = 10 * 1000;

// Only one process can create the marker, and it removes only the lock that it has read.
function breakLock(
  lock: string,
  read: { readonly ino: number; readonly owner: LockOwner | undefined },
): boolean {
  const marker = `${lock}.broken-${read.owner?.nonce ?? "unknown"}`;
  try {
    linkSync(lock, marker);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EEXIST") removeOld(marker);
    return error.code === "ENOENT";
  }
  try {
    if (lstatSync(marker).ino === read.ino) unlinkSync(lock);
    return true;
  } finally {
    unlock(marker);
  }
}

function removeOld(marker: string): void {
  const found = lstatSync(marker, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.ctimeMs > markerAfterMs) unlock(marker);
}
