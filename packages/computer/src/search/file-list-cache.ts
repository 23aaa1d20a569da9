import { anyFile } from "./file-pattern.ts";
import { FileTree, type ListingOptions } from "./file-tree.ts";

/** All files below a directory that ripgrep would search. */
export interface FileList {
  readonly directory: string;
  /** Relative to the directory, in path order. The same array as long as nothing changed. */
  readonly files: readonly string[];
}

// People work in one tree and look into a few parts of it.
const maxTrees = 4;

/** Caches the trees that were searched last. */
export class FileListCache {
  readonly #options: ListingOptions;
  /** Least recently used first. */
  readonly #trees = new Map<string, FileTree>();
  readonly #lists = new WeakMap<FileTree, FileList & { readonly listings: number }>();

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  /** The tree below a directory, given without links. */
  tree(directory: string): FileTree {
    const tree = this.#trees.get(directory) ?? new FileTree(directory, this.#options);
    this.#trees.delete(directory);
    this.#trees.set(directory, tree);
    for (const [oldest] of this.#trees) {
      if (this.#trees.size <= maxTrees) break;
      this.#trees.delete(oldest);
    }
    return tree;
  }

  /** Returns all files below a directory, as they are now. */
  async list(directory: string, signal?: AbortSignal): Promise<FileList> {
    const tree = this.tree(directory);
    const before = tree.listings;
    let files: string[] = [];
    const start = directory === "/" ? 1 : directory.length + 1;
    await tree.walk({
      pattern: anyFile,
      ...(signal && { signal }),
      onFile: (path, { name }) => {
        files.push(path.length < start ? name : `${path.slice(start)}/${name}`);
      },
      onRestart: () => {
        files = [];
      },
    });
    const known = this.#lists.get(tree);
    if (known?.listings === before && tree.listings === before) return known;
    const list = { directory, files, listings: tree.listings };
    this.#lists.set(tree, list);
    return list;
  }
}
