import type { Pinning } from "../disk/pin.ts";
import { enterTurn, isTurnSpent } from "../disk/turn-budget.ts";
import { childOf, isInside } from "../paths/path-parts.ts";
import { DirectoriesAbove } from "./directories-above.ts";
import type { FilePattern } from "./file-pattern.ts";
import { type KnownBefore, ListedDirectory, type ListedEntry } from "./listed-directory.ts";
import { type IgnoreEnvironment, OuterRules } from "./outer-rules.ts";
import { isSameDirectory, lookAt, type ReadingPace, readDirectory } from "./read-directory.ts";

/** What listing files depends on. */
export interface ListingOptions {
  readonly pinning: Pinning;
  readonly environment: IgnoreEnvironment;
  /** Directories that nobody moves while we look; where a tree starts unless said. */
  readonly roots?: readonly string[];
}

/** How to go through a tree. */
export interface TreeWalk {
  readonly pattern: FilePattern;
  readonly signal?: AbortSignal;
  /** Is told of each file that fits, in the order of paths. */
  onFile(directory: string, entry: ListedEntry): void;
  /** Is told of each directory before what is in it. */
  onDirectory?(listed: ListedDirectory): void;
  /** What it was told so far does not count: directories were moved meanwhile. */
  onRestart(): void;
}

/**
 * The files below a directory that ripgrep would search. Each directory is listed once; afterwards
 * its time of change tells whether what is known still holds.
 */
export class FileTree {
  readonly directory: string;
  /** Grows with every listing, so that the same number means the same tree. */
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

  /** Goes through all files that fit. Long walks let others have their turn. */
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
      // Whoever stops half-way leaves behind what is not proven yet.
      if (!steps.every(isProven)) this.#root = undefined;
    }
  }

  /** Goes on until all is seen, or a directory is not what it was. */
  async #follow(steps: Step[], walk: TreeWalk, pace: ReadingPace): Promise<boolean> {
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const entry = tellFiles(step, walk);
      if (entry !== undefined) this.#descend(entry, steps, { walk, pace });
      else if (step.at === step.listed.entries.length) {
        if (!isProven(step)) return false;
        steps.pop();
      }
      if (isTurnSpent()) {
        await enterTurn();
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
    // Of what changes so fast that it does not show, nothing below is sure, either.
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

/** Tells of files until a directory comes, which it returns, or a portion is done. */
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

// Not files but doors into the kernel, without end.
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
