import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isSystemError, makeSystemError } from "../disk/system-error.ts";
import { flushPath } from "./flush-path.ts";
import type { SessionDirectory } from "./session-directory.ts";

/** A blob that exists, but may not be flushed to disk yet. */
export interface KeptBlob {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  /** Flushes it to disk. */
  flush(): Promise<void>;
}

/** Stores content under a name: as a hard link to the file that holds it, or as a copy. */
export function keepBlob(
  name: string,
  content: Uint8Array,
  { session, link }: { readonly session: SessionDirectory; readonly link?: LinkTo | undefined },
): KeptBlob {
  const directory = join(session.path, "blobs");
  const path = join(directory, name);
  if (!existsSync(directory)) session.make("blobs");
  const isLinked = link?.(path) ?? false;
  if (!isLinked) writeCopy(path, content);
  return {
    name,
    sha256: hash("sha256", content),
    size: content.length,
    flush: async () => {
      await Promise.all([isLinked ? undefined : flushPath(path), flushPath(directory)]);
    },
  };
}

type LinkTo = (path: string) => boolean;

/** Returns the content of a blob; throws if it was dropped or is damaged. */
export function readBlob(
  directory: string,
  blob: { readonly blob: string; readonly sha256: string },
): Uint8Array {
  if (!blobName.test(blob.blob))
    throw notKept(`${JSON.stringify(blob.blob)} is not the name of a blob`);
  const file = join(directory, "blobs", blob.blob);
  let content: Uint8Array;
  try {
    content = new Uint8Array(readFileSync(file));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notKept(
      error.code === "ENOENT"
        ? "the content it replaced was dropped to make room for later changes"
        : `${file} can't be read (${error.code})`,
    );
  }
  if (hash("sha256", content) === blob.sha256) return content;
  throw notKept(`${file} is damaged: its content has changed`);
}

/** Removes blobs that are no longer needed. */
export function dropBlobs(directory: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(directory, "blobs", name), { force: true });
}

/** Removes the oldest blobs until the rest has at most `maxBytes`. */
export function trimBlobs(directory: string, maxBytes: number): void {
  const blobs = join(directory, "blobs");
  let total = 0;
  // Their names begin with the time.
  for (const name of readdirSync(blobs).sort().reverse()) {
    const found = statSync(join(blobs, name), { throwIfNoEntry: false });
    total += keptBytes(name) ?? found?.size ?? 0;
    if (total <= maxBytes) continue;
    try {
      rmSync(join(blobs, name), { recursive: true, force: true });
    } catch (error) {
      // A kept directory that its owner can't change takes space, and must not fail a change.
      if (!isSystemError(error)) throw error;
    }
  }
}

/** The name of a directory for what the changes of a recording move away. It tells how much that is. */
export function nameKept(recording: string, bytes: number): string {
  return `${recording}.kept-${bytes}`;
}

function keptBytes(name: string): number | undefined {
  const [, bytes] = /\.kept-(\d+)$/u.exec(name) ?? [];
  return bytes === undefined ? undefined : Number(bytes);
}

/** Removes a directory for what changes move away, unless something is in it. */
export function dropKept(directory: string, name: string): void {
  try {
    rmdirSync(join(directory, "blobs", name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** Where an entry is kept. Throws if the journal's name for it leads elsewhere. */
export function locateKept(directory: string, kept: string): string {
  const parts = kept.split("/");
  if (!blobName.test(parts[0] ?? "") || parts.some((part) => part === "" || part === "..")) {
    throw notKept(`${JSON.stringify(kept)} is not the name of a kept file`);
  }
  return join(directory, "blobs", kept);
}

const blobName = /^[0-9a-z][0-9a-z.-]*$/u;

function writeCopy(path: string, content: Uint8Array): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < content.length; ) {
      const count = writeSync(fd, content, written);
      if (count === 0) throw makeSystemError("ENOSPC", "write");
      written += count;
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** The error for what the journal does not have (any more). */
export function notKept(reason: string): ToolError {
  return new ToolError("failed", `The change can't be undone: ${reason}.`);
}
