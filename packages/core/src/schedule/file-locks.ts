import type { Computer } from "../computer.ts";

/** A file that a call holds while it runs, by its path. */
export interface FileLock {
  readonly key: string;
  readonly mode: "read" | "write";
}

const maxRemembered = 1_000;

interface Request {
  readonly locks: readonly FileLock[];
  readonly start: () => void;
}

/**
 * Keeps calls of different sessions apart on one file: many readers, or one writer. A call takes
 * all it needs at once, so there are no deadlocks. Requests are served in order.
 */
export class FileLocks {
  /** Number of readers of each file. Files without readers stay for a while, see `release`. */
  readonly #read = new Map<string, number>();
  #reading = 0;
  readonly #written = new Set<string>();
  readonly #waiting: Request[] = [];
  readonly #identify: (path: string) => string;

  constructor(identify: (path: string) => string) {
    this.#identify = identify;
  }

  /** Resolves when the files are held; `undefined` if they are now. */
  acquire(
    locks: readonly FileLock[],
    holder: { readonly signal: AbortSignal },
  ): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#isFree(locks)) {
      this.#take(locks);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const aborted = holder.signal;
      if (aborted.aborted) {
        reject(aborted.reason);
        return;
      }
      const giveUp = (): void => {
        const index = this.#waiting.indexOf(request);
        if (index === -1) return;
        this.#waiting.splice(index, 1);
        this.#serve();
        reject(aborted.reason);
      };
      const request: Request = {
        locks,
        start: () => {
          aborted.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      aborted.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(request);
      // Others may be waiting for files that are no concern of this one.
      this.#serve();
    });
  }

  release(locks: readonly FileLock[]): void {
    for (const { key, mode } of locks) {
      if (mode === "write") this.#written.delete(key);
      else this.#countReader(key, -1);
    }
    // Cleared seldom and at once: a map that entries come to and go from is rebuilt all the time.
    if (this.#reading === 0 && this.#read.size > maxRemembered) this.#read.clear();
    if (this.#waiting.length > 0) this.#serve();
  }

  #serve(): void {
    // What an earlier request waits for is kept from later ones, so that writers are not starved.
    const claimed: FileLock[] = [];
    for (const request of [...this.#waiting]) {
      const clear = !claimed.some((one) => request.locks.some((other) => collide(one, other)));
      if (clear && this.#isFree(request.locks)) {
        this.#waiting.splice(this.#waiting.indexOf(request), 1);
        this.#take(request.locks);
        request.start();
      } else {
        claimed.push(...request.locks);
      }
    }
  }

  #isFree(locks: readonly FileLock[]): boolean {
    return locks.every(({ key, mode }) =>
      mode === "write" ? !this.#isHeld(key) : !this.#isWritten(key),
    );
  }

  // A writer holds its file also under the name it lands at. Of readers that name is looked up only
  // here, where somebody writes at the same time.
  #isHeld(path: string): boolean {
    if (this.#written.has(path)) return true;
    if (this.#reading === 0) return false;
    for (const [read, readers] of this.#read) {
      if (readers > 0 && (read === path || this.#identify(read) === path)) return true;
    }
    return false;
  }

  #isWritten(path: string): boolean {
    if (this.#written.size === 0) return false;
    return this.#written.has(path) || this.#written.has(this.#identify(path));
  }

  #take(locks: readonly FileLock[]): void {
    for (const { key, mode } of locks) {
      if (mode === "write") this.#written.add(key);
      else this.#countReader(key, 1);
    }
  }

  #countReader(path: string, more: 1 | -1): void {
    this.#read.set(path, (this.#read.get(path) ?? 0) + more);
    this.#reading += more;
  }
}

const bySpace = new WeakMap<object, FileLocks>();

/** The locks that all computers with the same files share in this process. */
export function fileLocksOf(computer: Pick<Computer, "space" | "identify">): FileLocks {
  let locks = bySpace.get(computer.space);
  if (locks === undefined) {
    locks = new FileLocks((path) => computer.identify(path));
    bySpace.set(computer.space, locks);
  }
  return locks;
}

function collide(a: FileLock, b: FileLock): boolean {
  return a.key === b.key && (a.mode === "write" || b.mode === "write");
}
