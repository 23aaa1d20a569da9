import { randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

const maxHoldMs = 5_000;
const maxWaitMs = 10_000;
const pauseMs = 5;

/** Runs a short function while holding a lock file that all processes respect. */
export function withLock<T>(path: string, run: () => T): T {
  const token = randomBytes(8).toString("hex");
  const end = performance.now() + maxWaitMs;
  while (!take(path, token)) {
    breakIfStale(path);
    if (performance.now() > end) {
      throw new Error(
        `${path} is held by another process. If no other process is running, delete it.`,
      );
    }
    Atomics.wait(sleeper, 0, 0, pauseMs);
  }
  try {
    return run();
  } finally {
    if (holderOf(path) === token) rmSync(path, { force: true });
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function take(path: string, token: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, token);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

// The holder was killed. If several processes notice, the rename succeeds for only one.
function breakIfStale(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // A time in the future means that the clock was set back.
  if (found === undefined || Math.abs(Date.now() - found.mtimeMs) < maxHoldMs) return;
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  rmSync(aside, { force: true });
}

function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
