import type { FileQuery, FoundFiles, FoundText, TextQuery } from "./file-search.ts";

/** What a path is, after links were followed. `other` is a device, socket or pipe. */
export type FileKind = "file" | "directory" | "other";

/** What is known of a file without reading it. */
export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly modifiedMs: number;
  /** Permission bits. */
  readonly mode: number;
  /** Changes whenever the file's content may have changed; opaque. */
  readonly version: string;
}

/** One name in a directory. A link is reported as what it points to, if that lies in scope. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** A part of a file, in bytes. */
export interface ByteWindow {
  readonly offset: number;
  readonly length: number;
}

/** Conditions and details of a write. */
export interface WriteOptions {
  /** Fail with `conflict` unless the file still has this version, or does not exist. */
  readonly expect?: string | "absent";
  /** Make missing parent directories. */
  readonly parents?: boolean;
}

/** What a write did. */
export interface WriteReceipt {
  readonly created: boolean;
  readonly version: string;
}

/** A part of a file's bytes, and what comes in its place. */
export interface ByteSplice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** A whole file, and the version that these bytes are. */
export interface LoadedFile {
  readonly content: Uint8Array;
  readonly version: string;
}

/** What can be at a path. */
export type PathState =
  | { readonly kind: "file"; readonly content: Uint8Array; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly mode?: number }
  | { readonly kind: "absent" };

/** A path, and what shall be there. */
export interface PathChange {
  readonly path: string;
  /** A file without a mode keeps the one that is there. */
  readonly to: PathState;
  /** Fail with `conflict` unless the path still has this version, or nothing is there. */
  readonly expect?: string | "absent";
  /** Make missing parent directories. */
  readonly parents?: boolean;
  /** The past change that this one takes back. */
  readonly undoes?: string;
}

/** What one of several changes did. */
export interface ChangeReceipt {
  /** Absolute. */
  readonly path: string;
  readonly created: boolean;
  /** Absent where nothing is left. */
  readonly version?: string;
}

/**
 * The files a tool can reach. Every path is judged where it lands, after links; a path outside the
 * call's grant is a `ToolError` with code `out-of-scope`, whether or not anything is there.
 * Relative paths start at the first workspace root.
 */
export interface FileSystem {
  /** The absolute form of a path: relative parts and `~` resolved, nothing looked up. */
  resolve(path: string): string;
  stat(path: string): Promise<FileStat>;
  /** Whole, or the window of it that exists. A window past the end is empty. */
  read(path: string, window?: ByteWindow): Promise<Uint8Array>;
  /** All of a file, with its version at that moment. */
  load(path: string): Promise<LoadedFile>;
  /** Replaces the file in one step: a reader sees the old bytes or the new ones. */
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<WriteReceipt>;
  /**
   * Replaces parts of a file that was loaded, in one step; a `conflict` if it is another version by
   * now. The splices are in ascending order and do not overlap. The loaded bytes are lent, and must
   * be as they came.
   */
  splice(path: string, splices: readonly ByteSplice[], loaded: LoadedFile): Promise<WriteReceipt>;
  /** The names in a directory, sorted by code unit. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Removes a file or an empty directory. */
  remove(path: string): Promise<void>;
  /** Moves a file; an existing target is a `conflict`. */
  move(from: string, to: string): Promise<void>;
  /**
   * Makes several changes together: all of them, or none, also if the process dies in between. The
   * receipts come in the order of the changes.
   */
  change(changes: readonly PathChange[]): Promise<readonly ChangeReceipt[]>;
  /** Finds files by name. What version control ignores, hidden and secret files are left out. */
  findFiles(query: FileQuery): Promise<FoundFiles>;
  /** Finds lines by content, in files that `findFiles` would find or that `path` names. */
  findText(query: TextQuery): Promise<FoundText>;
}
