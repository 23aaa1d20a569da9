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
  /** Replaces the file in one step: a reader sees the old bytes or the new ones. */
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<WriteReceipt>;
  /** The names in a directory, sorted by code unit. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Removes a file or an empty directory. */
  remove(path: string): Promise<void>;
  /** Moves a file; an existing target is a `conflict`. */
  move(from: string, to: string): Promise<void>;
}
