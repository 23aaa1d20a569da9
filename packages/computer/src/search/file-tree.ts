import type { Stats } from "node:fs";
import { enterTimeSlice, isInside, isTimeSliceSpent } from "@haft/contract/internal";
import type { Pinning } from "../disk/pin.ts";
import { childOf, parentOf } from "../paths/path-parts.ts";
import type { FilePattern } from "./file-pattern.ts";
import { type KnownBefore, ListedDirectory, type ListedEntry } from "./listed-directory.ts";
import { type IgnoreEnvironment, OuterRules } from "./outer-rules.ts";
import { isSameDirectory, lookAt, type ReadingPace, readDirectory } from "./read-directory.ts";
import { isSettled } from "./settled.ts";

/** Options of a listing. */
export interface ListingOptions {
  readonly pinning: Pinning;
  readonly environment: IgnoreEnvironment;
  /** Directories that are not moved during a walk. Default: where the tree starts. */
  readonly roots?: readonly string[];
}

/** How to walk a tree. */
export interface TreeWalk {
  readonly pattern: FilePattern;
  readonly signal?: AbortSignal;
  /** Called for each matching file, in path order. */
  onFile(directory: string, entry: ListedEntry): void;
  /** Called for each directory, before its entries. */
  onDirectory?(listed: ListedDirectory): void;
  /** Results so far are void: directories were moved meanwhile. */
  onRestart(): void;
}

/**
 * The files below a directory that ripgrep would search. Each directory is listed once; afterwards
 * its modification time tells whether the listing is still valid.
 */
export class FileTree {
  readonly directory: string;
  /** Increases with every listing, so that equal numbers mean the same tree. */
  listings = 0;
  readonly #pinning: Pinning;
  readonly #outer: OuterRules;
  readonly #roots: readonly string[];
  #root: ListedDirectory | undefined;

  constructor(directory: string, { pinning, environment, roots }: ListingOptions) {
    this.directory = directory;
    this.#roots = roots ?? [directory];
    this.#pinning = pinning;
    const root = this.#roots.find((one) => isInside(one, directory)) ?? directory;
    this.#outer = new OuterRules(directory, environment, { directory, root });
  }

  /** Walks all matching files. Long walks yield to the event loop. */
  async walk(walk: TreeWalk): Promise<void> {
    const above = new DirectoriesAbove(this.directory, this.#roots);
    const isComplete = await this.#walk(walk, above.areSettled ? "quick" : "careful");
    if (isComplete && (!above.areSettled || above.areSame())) return;
    this.#root = undefined;
    walk.onRestart();
    await this.#walk(walk, "careful");
  }

  async #walk(walk: TreeWalk, pace: ReadingPace): Promise<boolean> {
    const { scope } = this.#outer;
    const root = this.#enter(this.directory, { outer: scope, before: this.#root }, pace);
    this.#root = root?.listed;
    if (root !== undefined) walk.onDirectory?.(root.listed);
    const steps: Step[] =
      root === undefined
        ? []
        : [{ listed: root.listed, pattern: walk.pattern, at: 0, mustStay: false }];
    try {
      return await this.#follow(steps, walk, pace);
    } finally {
      // A walk that stops half-way leaves entries that are not verified yet.
      if (!steps.every(isProven)) this.#root = undefined;
    }
  }

  /** Continues until everything is seen, or a directory has changed. */
  async #follow(steps: Step[], walk: TreeWalk, pace: ReadingPace): Promise<boolean> {
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const entry = tellFiles(step, walk);
      if (entry !== undefined) this.#descend(entry, steps, { walk, pace });
      else if (step.at === step.listed.entries.length) {
        if (!isProven(step)) return false;
        steps.pop();
      }
      if (isTimeSliceSpent()) {
        await enterTimeSlice();
        walk.signal?.throwIfAborted();
      }
    }
    return true;
  }

  #descend(
    entry: ListedEntry,
    steps: Step[],
    { walk, pace }: { readonly walk: TreeWalk; readonly pace: ReadingPace },
  ): void {
    const step = steps.at(-1) as Step;
    const { listed } = step;
    const pattern = step.pattern.below(entry.name, entry.isHidden);
    if (pattern === undefined || (listed.path === "/" && kernelNames.has(entry.name))) return;
    const known = { outer: listed.scope, before: entry.directory };
    // If a directory changes too fast to show, nothing below it is certain either.
    const kept = listed.isSure ? pace : "careful";
    const next = this.#enter(childOf(listed.path, entry.name), known, kept);
    entry.directory = next?.listed;
    if (next === undefined) return;
    walk.onDirectory?.(next.listed);
    if (!next.isProven) step.mustStay = true;
    steps.push({ listed: next.listed, pattern, at: 0, mustStay: false });
  }

  #enter(path: string, known: KnownBefore, pace: ReadingPace): Entered | undefined {
    const { before, outer } = known;
    if (before?.isFresh(outer)) return { listed: before, isProven: true };
    const reading = readDirectory(path, this.#pinning, pace);
    if (reading === undefined) return undefined;
    this.listings++;
    const listed = new ListedDirectory(path, reading, known);
    return { listed, isProven: reading.isProven };
  }
}

const portion = 512;

/** Reports files until a directory comes, which it returns, or a portion is done. */
function tellFiles(step: Step, { onFile }: TreeWalk): ListedEntry | undefined {
  const { listed, pattern } = step;
  const { entries, path } = listed;
  const end = Math.min(step.at + portion, entries.length);
  while (step.at < end) {
    const entry = entries[step.at++] as ListedEntry;
    if (entry.isDirectory) return entry;
    if (pattern.fits(entry.name, entry.isHidden)) onFile(path, entry);
  }
  return undefined;
}

// Not files but interfaces to the kernel, without end.
const kernelNames: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);

interface Entered {
  readonly listed: ListedDirectory;
  readonly isProven: boolean;
}

interface Step {
  readonly listed: ListedDirectory;
  readonly pattern: FilePattern;
  at: number;
  /** Directories in it were read by name: if one was swapped meanwhile, this one shows it. */
  mustStay: boolean;
}

function isProven({ listed, mustStay }: Step): boolean {
  return !mustStay || isSameDirectory(listed.stamp, lookAt(listed.path));
}

/** The directories above a directory, which could be swapped for links meanwhile. */
class DirectoriesAbove {
  /** Whether a change of any of them would show. */
  readonly areSettled: boolean;
  readonly #seen: readonly { readonly path: string; readonly stats: Stats | undefined }[];

  /** Reads those below the root that the directory lies in. */
  constructor(directory: string, roots: readonly string[]) {
    const root = roots.find((one) => isInside(one, directory)) ?? "/";
    const paths: string[] = [];
    for (let path = directory; path !== root; ) {
      path = parentOf(path);
      if (path !== root) paths.push(path);
    }
    this.#seen = paths.map((path) => ({ path, stats: lookAt(path) }));
    this.areSettled = this.#seen.every(({ stats }) => stats !== undefined && isSettled(stats));
  }

  /** Whether they are all unchanged. */
  areSame(): boolean {
    return this.#seen.every(
      ({ path, stats }) => stats !== undefined && isSameDirectory(stats, lookAt(path)),
    );
  }
}
