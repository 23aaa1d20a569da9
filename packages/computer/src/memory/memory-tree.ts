import { isDirectory, notDirectory, notFound } from "../paths/path-errors.ts";

/** A file in memory. Its content is replaced, never changed. */
export interface MemoryFile {
  readonly kind: "file";
  readonly content: Uint8Array;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly version: string;
}

/** A directory in memory. */
export interface MemoryDirectory {
  readonly kind: "directory";
  readonly entries: Map<string, MemoryNode>;
  modifiedMs: number;
  version: string;
}

/** A node in memory. */
export type MemoryNode = MemoryFile | MemoryDirectory;

/** Files and directories in memory. Paths are absolute and normalised; errors name the requested path. */
export class MemoryTree {
  #changes = 0;
  #inverses: (() => void)[] | undefined;
  readonly #root: MemoryDirectory = this.#newDirectory();

  /** Runs several steps that may fail, and reverts all of them on failure or for a dry run. */
  attempt<Outcome>(work: () => Outcome, afterwards: "keep" | "undo"): Outcome {
    const inverses: (() => void)[] = [];
    this.#inverses = inverses;
    let isKept = false;
    try {
      const outcome = work();
      isKept = afterwards === "keep";
      return outcome;
    } finally {
      this.#inverses = undefined;
      if (!isKept) for (const inverse of inverses.reverse()) inverse();
    }
  }

  /** Returns the node at a path. */
  find(path: string): MemoryNode | undefined {
    let node: MemoryNode | undefined = this.#root;
    for (const name of partsOf(path)) {
      if (node === undefined) return undefined;
      if (node.kind === "file") throw notDirectory(path);
      node = node.entries.get(name);
    }
    return node;
  }

  /** Returns the node at a path, or throws `not-found`. */
  get(path: string): MemoryNode {
    const node = this.find(path);
    if (node === undefined) throw notFound(path);
    return node;
  }

  /** Returns the parent directory of a path; `onMissing` decides about each one that is missing. */
  parent(path: string, onMissing: (directory: string) => "make" | "fail"): MemoryDirectory {
    let directory = this.#root;
    let walked = "";
    for (const name of partsOf(path).slice(0, -1)) {
      walked = `${walked}/${name}`;
      let next = directory.entries.get(name);
      if (next === undefined) {
        if (onMissing(walked) === "fail") throw notFound(path);
        next = this.#newDirectory();
        this.#put(directory, name, next);
      }
      if (next.kind === "file") throw notDirectory(path);
      directory = next;
    }
    return directory;
  }

  /** Puts content at a path whose directory exists. */
  write(path: string, content: Uint8Array, mode: number): MemoryFile {
    const directory = this.parent(path, () => "fail");
    const name = lastOf(path);
    if (name === undefined || directory.entries.get(name)?.kind === "directory") {
      throw isDirectory(path);
    }
    const file: MemoryFile = {
      kind: "file",
      content: content.slice(),
      mode,
      modifiedMs: Date.now(),
      version: this.#nextVersion(),
    };
    this.#put(directory, name, file);
    return file;
  }

  /** Creates a directory in an existing one. */
  makeDirectory(path: string): void {
    const name = lastOf(path);
    if (name !== undefined)
      this.#put(
        this.parent(path, () => "fail"),
        name,
        this.#newDirectory(),
      );
  }

  /** Removes what is at a path, with everything below it. */
  remove(path: string): void {
    const name = lastOf(path);
    const found = this.find(path);
    if (name === undefined || found === undefined) return;
    const directory = this.parent(path, () => "fail");
    this.#inverses?.push(restoreOf(directory, name, found));
    directory.entries.delete(name);
    this.#mark(directory);
  }

  #put(directory: MemoryDirectory, name: string, node: MemoryNode): void {
    const isNew = !directory.entries.has(name);
    this.#inverses?.push(restoreOf(directory, name, directory.entries.get(name)));
    directory.entries.set(name, node);
    if (isNew) this.#mark(directory);
  }

  #mark(directory: MemoryDirectory): void {
    directory.modifiedMs = Date.now();
    directory.version = this.#nextVersion();
  }

  #newDirectory(): MemoryDirectory {
    return {
      kind: "directory",
      entries: new Map(),
      modifiedMs: Date.now(),
      version: this.#nextVersion(),
    };
  }

  #nextVersion(): string {
    this.#changes++;
    return `m${this.#changes.toString(36)}`;
  }
}

function restoreOf(
  directory: MemoryDirectory,
  name: string,
  found: MemoryNode | undefined,
): () => void {
  const { modifiedMs, version } = directory;
  return () => {
    if (found === undefined) directory.entries.delete(name);
    else directory.entries.set(name, found);
    Object.assign(directory, { modifiedMs, version });
  };
}

function partsOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

function lastOf(path: string): string | undefined {
  return partsOf(path).at(-1);
}
