import type { FoundText, TextQuery } from "@haft/contract";
import { enterTimeSlice, isInside, isTimeSliceSpent } from "@haft/contract/internal";
import { childOf } from "../../paths/path-parts.ts";
import { FileListCache } from "../file-list-cache.ts";
import { FileTree, type ListingOptions } from "../file-tree.ts";
import { compileTextFilter } from "../text-filter.ts";
import { CheckCrew } from "./check-crew.ts";
import { ContentSearch } from "./content-search.ts";
import { FileIndex } from "./file-index.ts";
import { type IndexedDirectory, IndexedTree } from "./indexed-tree.ts";
import type { IndexSizes } from "./messages.ts";
import { SoughtTexts } from "./sought-text.ts";
import { look } from "./state-table.ts";
import { TreeSearch } from "./tree-search.ts";

/** Options of an index. */
export interface TreeIndexOptions extends ListingOptions, IndexSizes {
  /** Starts helper threads; see `helpChecking`. */
  readonly helperScript: string;
}

/**
 * The files below a directory, and which text each of them can't contain. One call at a time: the
 * process changes its working directory to the root, so that paths are short.
 */
export class TreeIndex {
  readonly root: string;
  readonly #options: TreeIndexOptions;
  readonly #files = new FileIndex();
  readonly #tree: IndexedTree;
  /** Trees below other directories, where other ignore rules may apply. */
  readonly #parts: FileListCache;
  readonly #partTrees = new WeakMap<FileTree, IndexedTree>();
  readonly #sought = new SoughtTexts();

  constructor(root: string, options: TreeIndexOptions) {
    this.root = root;
    this.#options = options;
    this.#tree = this.#indexTree(new FileTree(root, options));
    this.#parts = new FileListCache({ ...options, roots: [root] });
  }

  /** Number of known files. */
  get size(): number {
    return this.#files.size;
  }

  /** Memory of the helper threads: a copy of each path. */
  get bytesOfHelpers(): number {
    return this.#files.bytesOfHelpers;
  }

  /** Reads all files. False if there are too many. */
  async build(): Promise<boolean> {
    const { helperScript, maxFiles = 300_000, filesForCrew = 2500 } = this.#options;
    const directories = await this.#tree.walk();
    if (this.size > maxFiles) return false;
    process.chdir(this.root);
    for (const { rows } of directories) {
      for (const row of rows) {
        this.#files.update(row);
        if (isTimeSliceSpent()) await enterTimeSlice();
      }
    }
    if (this.size >= filesForCrew) this.#files.engage(new CheckCrew(helperScript));
    return true;
  }

  /** Reports changes at these paths. */
  forget(paths: readonly string[]): void {
    for (const path of paths) this.#files.forget(this.#relative(path));
  }

  /** Finds lines as ripgrep would; `undefined` if only ripgrep can. The path contains no links. */
  async find(query: TextQuery): Promise<FoundText | undefined> {
    const sought = this.#sought.prepare(query);
    if (sought === undefined || !isInside(this.root, query.path)) return undefined;
    process.chdir(this.root);
    const content = new ContentSearch(this.root, query, sought);
    const target = look(query.path);
    if (target?.isDirectory()) await this.#searchTree(content, query);
    else if (target?.isFile()) this.#searchFile(content, this.#relative(query.path));
    else return undefined;
    return content.result;
  }

  /** Ends its threads. */
  close(): void {
    this.#files.close();
  }

  #searchFile(content: ContentSearch, path: string): void {
    new TreeSearch(this.#files, content).searchFile(this.#files.rowOf(path));
  }

  async #searchTree(content: ContentSearch, { path, glob }: TextQuery): Promise<void> {
    const filter = compileTextFilter(glob, path);
    // Hidden files are in no index.
    if (filter.seeksHidden) return content.giveUp();
    const start = this.#relative(childOf(path, "")).length;
    const fits = glob === undefined ? undefined : (file: string) => filter.fits(file.slice(start));
    const search = new TreeSearch(this.#files, content, fits);
    const tree = path === this.root ? this.#tree : this.#partAt(path);
    const known = tree.directories;
    if (known !== undefined && search.searchUnlessStale(known)) return;
    content.reset();
    const size = this.size;
    const directories = await tree.walk();
    if (tree === this.#tree && hasLost(directories, size)) tree.sweep();
    search.searchFresh(directories);
  }

  #partAt(path: string): IndexedTree {
    const tree = this.#parts.tree(path);
    const part = this.#partTrees.get(tree) ?? this.#indexTree(tree);
    this.#partTrees.set(tree, part);
    return part;
  }

  #indexTree(tree: FileTree): IndexedTree {
    const { environment } = this.#options;
    return new IndexedTree(tree, this.#files, { root: this.root, environment });
  }

  #relative(path: string): string {
    return path.slice(this.root === "/" ? 1 : this.root.length + 1);
  }
}

// A few files that are gone may stay; they only take memory.
function hasLost(directories: readonly IndexedDirectory[], known: number): boolean {
  const here = directories.reduce((sum, { rows }) => sum + rows.length, 0);
  return known - here > 100 + here / 20;
}
