import type { ContentSearch } from "./content-search.ts";
import type { FileIndex } from "./file-index.ts";
import type { IndexedDirectory } from "./indexed-tree.ts";

const filesBetweenForecasts = 256;

// Reading more than this of all files takes longer than ripgrep, which uses several threads.
const maxCandidates = 1 / 3;

/** A search through the files of an index, in directories that may have to be checked first. */
export class TreeSearch {
  readonly #files: FileIndex;
  readonly #content: ContentSearch;
  readonly #fits: (path: string) => boolean;

  /** Only files whose paths match. */
  constructor(files: FileIndex, content: ContentSearch, fits = (_path: string): boolean => true) {
    this.#files = files;
    this.#content = content;
    this.#fits = fits;
  }

  /** Searches one file. */
  searchFile(row: number): void {
    this.#files.update(row);
    if (this.#files.mayHold(row, this.#content.sought)) this.#look(row);
  }

  /** Searches directories that are unchanged; false as soon as one is not. */
  searchUnlessStale(directories: readonly IndexedDirectory[]): boolean {
    return this.#search(directories, ({ listed }) => listed.isFresh(listed.outer));
  }

  /** Searches directories that were listed just now. */
  searchFresh(directories: readonly IndexedDirectory[]): void {
    this.#search(directories, () => true);
  }

  /**
   * Searches the first files one by one, for as long as they are likely to fill the result: then the
   * others need not be read.
   */
  #search(directories: readonly IndexedDirectory[], isFresh: FreshnessTest): boolean {
    let visited = 0;
    for (const [index, directory] of directories.entries()) {
      if (!isFresh(directory)) return false;
      for (const row of directory.rows) {
        this.searchFile(row);
        if (this.#content.isOver) return true;
      }
      visited += directory.rows.length;
      if (this.#files.hasCrew && visited >= filesBetweenForecasts) {
        if (this.#content.expectsMore(visited, this.#files.size)) continue;
        return this.#searchRest(directories.slice(index + 1), isFresh);
      }
    }
    return true;
  }

  /** Searches many files. The crew checks them while we check the directories. */
  #searchRest(directories: readonly IndexedDirectory[], isFresh: FreshnessTest): boolean {
    const groups = directories.map(({ rows }) => rows);
    this.#files.beginCheck(groups);
    let isFinished = false;
    try {
      const candidates = this.#findCandidates(groups);
      if (this.#content.isOver) return true;
      if (!directories.every(isFresh)) return false;
      this.#files.finishCheck();
      isFinished = true;
      this.#lookInto(groups, candidates);
      return true;
    } finally {
      if (!isFinished) this.#files.stopCheck();
    }
  }

  /** The unchanged files that may match. */
  #findCandidates(groups: readonly (readonly number[])[]): ReadonlySet<number> {
    const candidates = new Set<number>();
    let files = 0;
    for (const rows of groups) {
      files += rows.length;
      for (const row of rows) {
        if (this.#files.mayHold(row, this.#content.sought)) candidates.add(row);
      }
    }
    if (candidates.size > files * maxCandidates) this.#content.giveUp();
    return candidates;
  }

  #lookInto(groups: readonly (readonly number[])[], candidates: ReadonlySet<number>): void {
    for (const rows of groups) {
      for (const row of rows) {
        const isCandidate = this.#files.updateChecked(row)
          ? this.#files.mayHold(row, this.#content.sought)
          : candidates.has(row);
        if (isCandidate) this.#look(row);
        if (this.#content.isOver) return;
      }
    }
  }

  #look(row: number): void {
    const path = this.#files.pathOf(row);
    if (!this.#fits(path)) return;
    if (this.#files.longestLineOf(row) > this.#content.sought.maxLineLength) this.#content.giveUp();
    else this.#content.look(path);
  }
}

type FreshnessTest = (directory: IndexedDirectory) => boolean;
