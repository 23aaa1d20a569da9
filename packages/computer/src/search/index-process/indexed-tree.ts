import { childOf } from "../../paths/path-parts.ts";
import { isSecretPath } from "../../paths/secret-path.ts";
import type { FilePattern } from "../file-pattern.ts";
import type { FileTree } from "../file-tree.ts";
import type { IgnoreScope } from "../ignore-scope.ts";
import type { ListedDirectory } from "../listed-directory.ts";
import { type IgnoreEnvironment, OuterRules } from "../outer-rules.ts";
import type { FileIndex } from "./file-index.ts";

/** A directory, and the rows of the files in it that are searched. */
export interface IndexedDirectory {
  readonly listed: ListedDirectory;
  readonly rows: readonly number[];
  /** Valid until a later generation gave the rows to other files. */
  generation: number;
}

/** A tree as it was at its last walk. */
export class IndexedTree {
  readonly #tree: FileTree;
  readonly #files: FileIndex;
  readonly #root: string;
  readonly #outer: OuterRules;
  readonly #known = new WeakMap<ListedDirectory, IndexedDirectory>();
  #directories: readonly IndexedDirectory[] = [];
  #generation = -1;
  #scope: IgnoreScope | undefined;

  /** Paths of files are relative to the root. */
  constructor(tree: FileTree, files: FileIndex, { root, environment }: IndexedTreeOptions) {
    this.#tree = tree;
    this.#files = files;
    this.#root = root;
    this.#outer = new OuterRules(tree.directory, environment, { directory: tree.directory, root });
  }

  /**
   * Its directories, parents first; `undefined` if a walk has to find them. They are valid as long as
   * each of them is fresh.
   */
  get directories(): readonly IndexedDirectory[] | undefined {
    const isKnown =
      this.#generation === this.#files.generation && this.#outer.scope === this.#scope;
    return isKnown ? this.#directories : undefined;
  }

  /** Its directories as they are now. */
  async walk(): Promise<readonly IndexedDirectory[]> {
    const { scope } = this.#outer;
    let directories: IndexedDirectory[] = [];
    await this.#tree.walk({
      pattern: directoriesOnly,
      onFile: () => {},
      onDirectory: (listed) => directories.push(this.#index(listed)),
      onRestart: () => {
        directories = [];
      },
    });
    this.#directories = directories;
    this.#generation = this.#files.generation;
    this.#scope = scope;
    return directories;
  }

  /** Lets the index keep only what is in this tree. */
  sweep(): void {
    this.#generation = this.#files.keepOnly(this.#directories.map(({ rows }) => rows));
    for (const directory of this.#directories) directory.generation = this.#generation;
  }

  #index(listed: ListedDirectory): IndexedDirectory {
    const known = this.#known.get(listed);
    if (known?.generation === this.#files.generation) return known;
    const prefix = relativeTo(this.#root, listed.path);
    const rows: number[] = [];
    for (const entry of listed.entries) {
      if (entry.isDirectory || entry.isHidden) continue;
      entry.isSecret ??= isSecretPath(childOf(listed.path, entry.name));
      // Joined, not concatenated: a concatenated string would keep both parts alive.
      if (!entry.isSecret) rows.push(this.#files.rowOf([...prefix, entry.name].join("/")));
    }
    const directory = { listed, rows, generation: this.#files.generation };
    this.#known.set(listed, directory);
    return directory;
  }
}

/** Where a tree is. */
export interface IndexedTreeOptions {
  /** The process's working directory. */
  readonly root: string;
  readonly environment: IgnoreEnvironment;
}

// Data about a directory's files is valid only with the directory as a whole.
const directoriesOnly: FilePattern = {
  fits: () => false,
  below: (_name, isHidden) => (isHidden ? undefined : directoriesOnly),
};

function relativeTo(root: string, directory: string): string[] {
  const relative = directory.slice(root === "/" ? 1 : root.length + 1);
  return relative === "" ? [] : [relative];
}
