import type { FileQuery, FoundFiles, FoundText, TextQuery } from "./file-search.ts";

/** What a path is after following links. `other` is a device, socket or pipe. */
export type FileKind = "file" | "directory" | "other";

/** The metadata of a file. */
export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly modifiedMs: number;
  /** Permission bits. */
  readonly mode: number;
  /** Opaque. Changes whenever the content of the file may have changed. */
  readonly version: string;
}

/** An entry of a directory. A link is reported as its target if that is in scope. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** A range of a file, in bytes. */
export interface ByteWindow {
  readonly offset: number;
  readonly length: number;
}

/** Options of a write. */
export interface WriteOptions {
  /** Fail with `conflict` unless the file has this version, or with `absent` does not exist. */
  readonly expect?: string | "absent";
  /** Create missing parent directories. */
  readonly parents?: boolean;
}

/** The outcome of a write. */
export interface WriteReceipt {
  readonly created: boolean;
  readonly version: string;
}

/** A byte range of a file and its replacement. */
export interface ByteSplice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The content of a file and its version. */
export interface LoadedFile {
  readonly content: Uint8Array;
  readonly version: string;
}

/** The state of a path. */
export type PathState =
  | { readonly kind: "file"; readonly content: Uint8Array; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number }
  | { readonly kind: "absent" };

/** A change of a path to a new state. */
export interface PathChange {
  readonly path: string;
  /** A file without `mode` keeps its current mode. */
  readonly to: PathState;
  /** Fail with `conflict` unless the path has this version, or with `absent` does not exist. */
  readonly expect?: string | "absent";
  /** Create missing parent directories. */
  readonly parents?: boolean;
  /** ID of the change that this one undoes. */
  readonly undoes?: string;
}

/** The outcome of one of several changes. */
export interface ChangeReceipt {
  /** Absolute. */
  readonly path: string;
  readonly created: boolean;
  /** Absent if the path no longer exists. */
  readonly version?: string;
}

/**
 * The files that a tool can access. Paths are checked after following links. A path outside the
 * call's grant throws a `ToolError` with code `out-of-scope`, whether or not it exists. Relative paths
 * start at the first workspace root.
 */
export interface FileSystem {
  /** Returns the absolute form of a path, with `..` and `~` resolved. Does not access the disk. */
  resolve(path: string): string;
  stat(path: string): Promise<FileStat>;
  /** Reads a file, or the part of `window` that exists. A window past the end is empty. */
  read(path: string, window?: ByteWindow): Promise<Uint8Array>;
  /** Reads a file together with its version. */
  load(path: string): Promise<LoadedFile>;
  /** Replaces a file atomically: readers see the old content or the new. */
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<WriteReceipt>;
  /**
   * Replaces parts of a loaded file atomically. Throws `conflict` if its version has changed. The
   * splices are in ascending order and do not overlap. The loaded bytes must not have been modified.
   */
  splice(path: string, splices: readonly ByteSplice[], loaded: LoadedFile): Promise<WriteReceipt>;
  /** Lists a directory, sorted by code unit. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Removes a file or an empty directory. */
  remove(path: string): Promise<void>;
  /** Moves a file. Throws `conflict` if the target exists. */
  move(from: string, to: string): Promise<void>;
  /**
   * Makes several changes together: all or none, even if the process dies. The receipts are in the
   * order of the changes.
   */
  change(changes: readonly PathChange[]): Promise<readonly ChangeReceipt[]>;
  /** Finds files by name. Leaves out hidden files, secret files and files that version control ignores. */
  findFiles(query: FileQuery): Promise<FoundFiles>;
  /** Finds lines by content, in files that `findFiles` would find or in the file that `path` names. */
  findText(query: TextQuery): Promise<FoundText>;
}
