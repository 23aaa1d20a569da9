import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isSystemError, makeSystemError } from "../disk/system-error.ts";
import { flushPath } from "./flush-path.ts";
import type { SessionDirectory } from "./session-directory.ts";

/** A blob that is there, but that the disk may not have yet. */
export interface KeptBlob {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  /** Puts it onto the disk. */
  flush(): Promise<void>;
}

/** Keeps content under a name: as another name of the file that holds it, or as a copy. */
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

/** What a blob holds. One that was dropped or damaged is a failure that says so. */
export function readBlob(
  directory: string,
  blob: { readonly blob: string; readonly sha256: string },
): Uint8Array {
  if (!blobName.test(blob.blob)) throw notKept(`${JSON.stringify(blob.blob)} names no blob`);
  const file = join(directory, "blobs", blob.blob);
  let content: Uint8Array;
  try {
    content = new Uint8Array(readFileSync(file));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notKept(
      error.code === "ENOENT"
        ? "what it replaced is no longer kept, to make room for later changes"
        : `${file} can't be read (${error.code})`,
    );
  }
  if (hash("sha256", content) === blob.sha256) return content;
  throw notKept(`${file} is damaged, its content is not what was kept`);
}

/** Removes blobs that are of no use. */
export function dropBlobs(directory: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(directory, "blobs", name), { force: true });
}

/** Removes the oldest blobs until the others have no more than so many bytes. */
export function trimBlobs(directory: string, mostBytes: number): void {
  const blobs = join(directory, "blobs");
  let total = 0;
  // Their names begin with the time.
  for (const name of readdirSync(blobs).sort().reverse()) {
    total += statSync(join(blobs, name), { throwIfNoEntry: false })?.size ?? 0;
    if (total > mostBytes) rmSync(join(blobs, name), { force: true });
  }
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

function notKept(reason: string): ToolError {
  return new ToolError("failed", `The change can't be undone: ${reason}.`);
}
