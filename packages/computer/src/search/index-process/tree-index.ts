import type { FoundText, TextQuery } from "@haft/contract";
import { enterTurn, isTurnSpent } from "../../disk/turn-budget.ts";
import { childOf, isInside } from "../../paths/path-parts.ts";
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

/** What an index depends on. */
export interface TreeIndexOptions extends ListingOptions, IndexSizes {
  /** Starts threads that help; see `helpChecking`. */
  readonly helperScript: string;
}

/**
 * The files below a directory, and which text each of them can't hold. One call at a time: the
 * process works in the root meanwhile, so that paths are short.
 */
export class TreeIndex {
  readonly root: string;
  readonly #options: TreeIndexOptions;
  readonly #files = new FileIndex();
  readonly #tree: IndexedTree;
  /** What is below other directories, where other rules of ignoring may hold. */
  readonly #parts: FileListCache;
  readonly #partTrees = new WeakMap<FileTree, IndexedTree>();
  readonly #sought = new SoughtTexts();

  constructor(root: string, options: TreeIndexOptions) {
    this.root = root;
    this.#options = options;
    this.#tree = this.#indexTree(new FileTree(root, options));
    this.#parts = new FileListCache({ ...options, roots: [root] });
  }

  /** How many files it knows. */
  get size(): number {
    return this.#files.size;
  }

  /** What the helping threads keep on their own: a copy of each path. */
  get bytesOfHelpers(): number {
    return this.#files.bytesOfHelpers;
  }

  /** Gets to know all files. False if there are too many. */
  async build(): Promise<boolean> {
    const { helperScript, mostFiles = 300_000, filesForCrew = 2500 } = this.#options;
    const directories = await this.#tree.walk();
    if (this.size > mostFiles) return false;
    process.chdir(this.root);
    for (const { rows } of directories) {
      for (const row of rows) {
        this.#files.update(row);
        if (isTurnSpent()) await enterTurn();
      }
    }
    if (this.size >= filesForCrew) this.#files.engage(new CheckCrew(helperScript));
    return true;
  }

  /** Somebody changed what is at these paths. */
  forget(paths: readonly string[]): void {
    for (const path of paths) this.#files.forget(this.#relative(path));
  }

  /** Finds lines as ripgrep would; `undefined` if only ripgrep can. The path leads through no link. */
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

  /** Lets its threads go. */
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

// A few files that are gone may stay; they only take room.
function hasLost(directories: readonly IndexedDirectory[], known: number): boolean {
  const here = directories.reduce((sum, { rows }) => sum + rows.length, 0);
  return known - here > 100 + here / 20;
}
