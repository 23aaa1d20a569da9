import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "./setup-error.mjs";

const heartbeat = 5_000;
const staleAfter = 60_000;
const patience = 15 * 60_000;

/**
 * Runs an action while no other setup of this project does: two at once would install into each
 * other's node_modules. The lock of a setup that died is taken over.
 * @param {import("../setup.mjs").Project} project
 * @param {() => Promise<void>} action
 */
export async function withLock(project, action) {
  const lock = join(project.root, ".haft-setup.lock");
  await acquire(lock, project.log);
  const beat = setInterval(() => keepFresh(lock), heartbeat);
  try {
    await action();
  } finally {
    clearInterval(beat);
    rmSync(lock, { recursive: true, force: true });
  }
}

/** @param {string} lock */
function keepFresh(lock) {
  try {
    const now = new Date();
    utimesSync(lock, now, now);
  } catch {
    // Somebody has deleted the lock by hand; that is no reason to stop half-way.
  }
}

/**
 * @param {string} lock
 * @param {(line: string) => void} log
 */
async function acquire(lock, log) {
  const start = Date.now();
  let told = false;
  while (!tryLock(lock)) {
    const owner = readOwner(lock);
    if (isStale(lock, owner)) {
      remove(lock, owner);
      continue;
    }
    if (!told) log("Waiting for another setup of this project…");
    told = true;
    if (Date.now() - start > patience) {
      throw new SetupError(`another setup doesn't end. If none is running, delete ${lock}.`);
    }
    await sleep(200);
  }
}

/** @param {string} lock */
function tryLock(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(lock, "owner"), `${hostname()} ${process.pid} ${Date.now()}`);
  return true;
}

/** @param {string} lock */
function readOwner(lock) {
  try {
    return readFileSync(join(lock, "owner"), "utf8");
  } catch {
    return "";
  }
}

/**
 * @param {string} lock
 * @param {string} owner
 */
function isStale(lock, owner) {
  const [host, pid] = owner.split(" ");
  if (host === hostname() && !isAlive(Number(pid))) return true;
  const seen = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return seen !== undefined && Date.now() - seen > staleAfter;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Moves the lock away before deleting it: of two that found it stale, one moves it, and if the
 * other by then moves a fresh lock, it notices and puts that back.
 * @param {string} lock
 * @param {string} staleOwner
 */
function remove(lock, staleOwner) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readOwner(aside) !== staleOwner) renameSync(aside, lock);
  } catch {
    // Somebody else was quicker.
  }
  rmSync(aside, { recursive: true, force: true });
}
