import { type Dirent, readdirSync, type Stats } from "node:fs";
import { ToolError } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import type { DeniedFiles } from "@haft/core/internal";
import { isSystemError } from "../../disk/system-error.ts";
import { type DirectoryStamp, isSameDirectory, lookAt } from "../../search/read-directory.ts";
import { isSettled } from "../../search/settled.ts";
import { type CanList, canListMyself } from "./can-list.ts";
import { describePath, type GuardedPath } from "./guarded-path.ts";
import {
  type DirectoryKind,
  type InnerDirectory,
  judgeByRules,
  judgeEntries,
  type RuleKind,
} from "./judge-entries.ts";
import { allowOwner } from "./owner-access.ts";

/** How much of a tree is searched before giving up. */
export interface TreeLimits {
  readonly directories: number;
  readonly milliseconds: number;
}

/** How a tree is searched. */
export interface TreeOptions {
  readonly limits?: TreeLimits;
  /** The path that its names are judged by. Default: its own. */
  readonly as?: string;
  /** Whether commands can list a directory. Default: whether this process can. */
  readonly canList?: CanList;
  /** What rules deny. Default: nothing. */
  readonly denied?: DeniedFiles | undefined;
}

/** Returns whether a closed directory is made listable again, to search it. */
export type MayOpen = (closed: GuardedPath) => boolean;

const defaultLimits: TreeLimits = { directories: 300_000, milliseconds: 15_000 };
// A command must not hide what it left by creating more directories than are searched.
const patienceAfterwards = 10;

// Mounts are made at paths of at most 4,096 bytes. Deeper paths can be neither checked nor hidden.
const maxPathBytes = 3_500;

/**
 * Finds what must be guarded below a directory. Each directory is read once and then only checked:
 * changing a name in it, or its permissions, changes its times.
 */
export class GuardedTree {
  readonly #root: KnownDirectory;
  readonly #limits: TreeLimits;
  readonly #canList: CanList;
  readonly #rules: DeniedFiles | undefined;
  /** How rules close all of it. */
  readonly #closed: RuleKind | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<readonly GuardedPath[]> | undefined;

  constructor(root: string, options: TreeOptions = {}) {
    const { denied } = options;
    this.#rules = denied;
    const closed = denied && judgeByRules(root, denied, true);
    this.#root = new KnownDirectory({
      ...{ path: root, as: options.as ?? root, kind: "plain", denied: closed },
    });
    this.#closed = closed;
    this.#limits = options.limits ?? defaultLimits;
    this.#canList = options.canList ?? canListMyself;
  }

  /** All guarded paths now. Links are not followed. */
  find(mayOpen?: MayOpen): Promise<readonly GuardedPath[]> {
    if (mayOpen !== undefined) return this.#findNext(mayOpen);
    // A pass that has not begun yet will see everything that is there by now.
    this.#waiting ??= this.#findNext();
    return this.#waiting;
  }

  async #findNext(mayOpen?: MayOpen): Promise<readonly GuardedPath[]> {
    const before = this.#running;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    try {
      await before;
      if (mayOpen === undefined) this.#waiting = undefined;
      return await this.#walk(mayOpen);
    } finally {
      resolve();
    }
  }

  async #walk(mayOpen: MayOpen | undefined): Promise<readonly GuardedPath[]> {
    const { path, as } = this.#root;
    const whole = this.#closed && describePath(this.#closed, path, as);
    const places: GuardedPath[] = whole === undefined ? [] : [whole];
    const left = [this.#root];
    const patience = mayOpen === undefined ? 1 : patienceAfterwards;
    const maxDirectories = this.#limits.directories * patience;
    const end = performance.now() + this.#limits.milliseconds * patience;
    for (let count = 1; ; count++) {
      const directory = left.pop();
      if (directory === undefined) return places;
      directory.refresh(this.#canList, this.#rules);
      if (directory.closed !== undefined && mayOpen?.(directory.closed)) {
        if (allowOwner(directory.path)) directory.refresh(this.#canList, this.#rules);
      }
      for (const place of directory.places) places.push(place);
      for (const inner of directory.inner) left.push(inner);
      if (count % 64 !== 0) continue;
      if (count > maxDirectories || performance.now() > end) throw this.#tooLarge();
      if (isTimeSliceSpent()) await enterTimeSlice();
    }
  }

  #tooLarge(): ToolError {
    const { path } = this.#root;
    return new ToolError(
      "too-large",
      `Commands can't run in ${path}: it has too many directories to search for secrets in time. Work in a subdirectory.`,
      { absolutePath: path },
    );
  }
}

class KnownDirectory implements InnerDirectory {
  readonly path: string;
  readonly as: string;
  readonly kind: DirectoryKind;
  readonly denied: RuleKind | undefined;
  places: readonly GuardedPath[] = [];
  inner: readonly KnownDirectory[] = [];
  /** The directory itself, if it can't be listed. */
  closed: GuardedPath | undefined;
  #stamp: DirectoryStamp | undefined;
  #isChangeable = false;

  constructor({ path, as, kind, denied }: InnerDirectory) {
    this.path = path;
    this.as = as;
    this.kind = kind;
    this.denied = denied;
  }

  /** Reads the directory again if it may have changed. */
  refresh(canList: CanList, rules: DeniedFiles | undefined): void {
    const stats = lookAt(this.path);
    if (this.#stamp !== undefined && isSameDirectory(this.#stamp, stats)) {
      // These can change without a change of names.
      if (this.#isChangeable) this.places = this.places.flatMap(lookAgain);
      return;
    }
    this.#stamp = undefined;
    this.closed = undefined;
    this.places = [];
    const known = new Map(this.inner.map((directory) => [directory.path, directory]));
    this.inner = [];
    if (!stats?.isDirectory()) return;
    const entries = this.#isTooDeep() || !canList(this.path, stats) ? undefined : this.#read();
    if (entries === undefined) {
      this.closed = describePath("closed", this.path, this.as);
      this.places = this.closed === undefined ? [] : [this.closed];
    } else {
      const { places, inner } = judgeEntries(
        this,
        entries,
        rules?.mayBeIn(this.path) ? rules : undefined,
      );
      this.places = places;
      this.#isChangeable = places.some(({ isChangeable }) => isChangeable);
      this.inner = inner.map((found) => keep(known.get(found.path), found));
    }
    this.#keepStamp(stats);
  }

  #isTooDeep(): boolean {
    return this.path.length > maxPathBytes / 3 && Buffer.byteLength(this.path) > maxPathBytes;
  }

  // A missing directory holds nothing. After any other failure there may be something.
  #read(): readonly Dirent[] | undefined {
    try {
      return readdirSync(this.path, { withFileTypes: true });
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return gone.has(error.code) ? [] : undefined;
    }
  }

  #keepStamp(stats: Stats): void {
    // A change within the same clock tick would not show.
    if (!isSettled(stats)) return;
    const { ino, dev, mtimeMs, ctimeMs } = stats;
    this.#stamp = { ino, dev, mtimeMs, ctimeMs };
  }
}

const gone: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

function lookAgain(place: GuardedPath): GuardedPath | readonly GuardedPath[] {
  return place.isChangeable ? (describePath(place.kind, place.path, place.as) ?? []) : place;
}

function keep(known: KnownDirectory | undefined, found: InnerDirectory): KnownDirectory {
  const isSame =
    known?.kind === found.kind && known.as === found.as && known.denied === found.denied;
  return isSame ? known : new KnownDirectory(found);
}
