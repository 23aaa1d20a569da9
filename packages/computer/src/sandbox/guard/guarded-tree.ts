import { type Dirent, readdirSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { isSystemError } from "../../disk/system-error.ts";
import { enterTurn, isTurnSpent } from "../../disk/turn-budget.ts";
import { type DirectoryStamp, isSameDirectory, lookAt } from "../../search/read-directory.ts";
import { isSettled } from "../../search/settled.ts";
import { describePlace, type GuardedPlace } from "./guarded-place.ts";
import { type DirectoryKind, type InnerDirectory, judgeEntries } from "./judge-entries.ts";

/** How much of a tree is looked through before it is given up. */
export interface TreeLimits {
  readonly directories: number;
  readonly milliseconds: number;
}

const defaultLimits: TreeLimits = { directories: 300_000, milliseconds: 15_000 };

/**
 * What must be guarded below a directory. Each directory is read once and then only looked at: to
 * change a name in it is to change its times.
 */
export class GuardedTree {
  readonly #root: KnownDirectory;
  readonly #limits: TreeLimits;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<readonly GuardedPlace[]> | undefined;

  constructor(root: string, limits: TreeLimits = defaultLimits) {
    this.#root = new KnownDirectory({ path: root, kind: "plain" });
    this.#limits = limits;
  }

  /** All places there are now. Links are not followed. */
  find(): Promise<readonly GuardedPlace[]> {
    // One that has not begun yet will see all that is there by now.
    this.#waiting ??= this.#findNext();
    return this.#waiting;
  }

  async #findNext(): Promise<readonly GuardedPlace[]> {
    const before = this.#running;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    try {
      await before;
      this.#waiting = undefined;
      return await this.#walk();
    } finally {
      resolve();
    }
  }

  async #walk(): Promise<readonly GuardedPlace[]> {
    const places: GuardedPlace[] = [];
    const left = [this.#root];
    const end = performance.now() + this.#limits.milliseconds;
    for (let count = 1; ; count++) {
      const directory = left.pop();
      if (directory === undefined) return places;
      directory.refresh();
      for (const place of directory.places) places.push(place);
      for (const inner of directory.inner) left.push(inner);
      if (count % 64 !== 0) continue;
      if (count > this.#limits.directories || performance.now() > end) throw this.#tooLarge();
      if (isTurnSpent()) await enterTurn();
    }
  }

  #tooLarge(): ToolError {
    const { path } = this.#root;
    return new ToolError(
      "too-large",
      `No command can run in ${path}: it holds so many directories that what is secret in it can't be found in time. Work in a directory below it.`,
      { absolutePath: path },
    );
  }
}

class KnownDirectory implements InnerDirectory {
  readonly path: string;
  readonly kind: DirectoryKind;
  places: readonly GuardedPlace[] = [];
  inner: readonly KnownDirectory[] = [];
  #stamp: DirectoryStamp | undefined;
  #isWatched = false;

  constructor({ path, kind }: InnerDirectory) {
    this.path = path;
    this.kind = kind;
  }

  /** Reads the directory again if it may have changed. */
  refresh(): void {
    const stats = lookAt(this.path);
    if (this.#stamp !== undefined && isSameDirectory(this.#stamp, stats)) {
      // These can change without a change of names.
      if (this.#isWatched) this.places = this.places.flatMap(lookAgain);
      return;
    }
    this.#stamp = undefined;
    if (stats?.isDirectory()) {
      const { places, inner } = judgeEntries(this, readEntries(this.path));
      const known = new Map(this.inner.map((directory) => [directory.path, directory]));
      this.places = places;
      this.#isWatched = places.some(({ kind }) => kind === "watched");
      this.inner = inner.map((found) => keep(known.get(found.path), found));
      // A change within the same tick of the clock would not show.
      if (isSettled(stats)) {
        const { ino, dev, mtimeMs, ctimeMs } = stats;
        this.#stamp = { ino, dev, mtimeMs, ctimeMs };
      }
    } else {
      this.places = [];
      this.inner = [];
    }
  }
}

function lookAgain(place: GuardedPlace): GuardedPlace | readonly GuardedPlace[] {
  return place.kind === "watched" ? (describePlace(place.kind, place.path) ?? []) : place;
}

function keep(known: KnownDirectory | undefined, found: InnerDirectory): KnownDirectory {
  return known?.kind === found.kind ? known : new KnownDirectory(found);
}

// What we may not look into, a command of ours may not either; what is gone holds nothing.
function readEntries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}
