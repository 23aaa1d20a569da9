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

const longestHold = 5_000;
const longestWait = 10_000;
const pause = 5;

/** Runs something while nobody else holds the lock, in this process or another. It must be brief. */
export function withLock<T>(path: string, run: () => T): T {
  const token = randomBytes(8).toString("hex");
  const end = Date.now() + longestWait;
  while (!take(path, token)) {
    breakIfStale(path);
    if (Date.now() > end) {
      throw new Error(`${path} is held by another process. Remove it if there is none.`);
    }
    Atomics.wait(sleeper, 0, 0, pause);
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

// Whoever held it was killed. Of several who notice, one gets to move it away.
function breakIfStale(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || Date.now() - found.mtimeMs < longestHold) return;
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
