import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";

const maxBytes = 256 * 1024;

/**
 * Reads the bytes of a manifest file. Throws a `TypeError` if it can't be read. With `within`, a link that
 * leads out of that directory is refused: a project must not read files outside of it.
 */
export function readManifestFile(path: string, within?: string): Uint8Array {
  if (within === undefined) return attempt(path, () => readOwnFile(path));
  const read = readUntrustedFile(requireWithin(path, within), { within, maxBytes });
  if (read.fault === undefined) return read.bytes;
  throw new TypeError(`${path}: it ${read.fault}. Put a Markdown file there, or remove it.`);
}

/** Decodes the text of a manifest. Throws a `TypeError` that names the file. */
export function decodeManifest(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError(`${path}: it is not UTF-8. Save it as UTF-8.`);
  }
}

function requireWithin(path: string, within: string): string {
  const place = attempt(path, () => realpathSync.native(path));
  const way = relative(within, place);
  if (way.startsWith("..") || isAbsolute(way)) {
    throw new TypeError(
      `${path}: it is a link out of the project. Replace it with the file itself.`,
    );
  }
  return place;
}

// The user's own manifests may be links, for example into a repository of dotfiles.
function readOwnFile(path: string): Uint8Array {
  // Opening a pipe would otherwise wait for a writer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readBounded(path, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readBounded(path: string, descriptor: number): Uint8Array {
  if (!fstatSync(descriptor).isFile()) {
    throw new TypeError(
      `${path}: it is not a regular file. Put a Markdown file there, or remove it.`,
    );
  }
  const buffer = new Uint8Array(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
    read = readSync(descriptor, buffer, { offset: length });
    if (read === 0) break;
  }
  if (length > maxBytes) {
    throw new TypeError(`${path}: it is larger than ${maxBytes / 1024} KB. Shorten it.`);
  }
  return buffer.subarray(0, length);
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new TypeError(`${path}: it can't be read (${code ?? "unknown error"}).`, {
      cause: error,
    });
  }
}
