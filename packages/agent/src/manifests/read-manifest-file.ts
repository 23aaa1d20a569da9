import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

const mostBytes = 256 * 1024;

/**
 * The text of a manifest's file. A `TypeError` says why it can't be had. With `within`, one that a link
 * leads out of that directory is refused: what lies there is none of a project's business.
 */
export function readManifestFile(path: string, within?: string): string {
  const place = within === undefined ? path : requireWithin(path, within);
  // A pipe would have us wait for whoever writes to it.
  const descriptor = attempt(path, () =>
    openSync(place, constants.O_RDONLY | constants.O_NONBLOCK),
  );
  try {
    return decode(
      path,
      attempt(path, () => readBounded(path, descriptor)),
    );
  } finally {
    closeSync(descriptor);
  }
}

function requireWithin(path: string, within: string): string {
  const place = attempt(path, () => realpathSync.native(path));
  const way = relative(within, place);
  if (way.startsWith("..") || isAbsolute(way)) {
    throw new TypeError(`${path}: it is a link that leads out of the project. Put the file there.`);
  }
  return place;
}

function readBounded(path: string, descriptor: number): Uint8Array {
  if (!fstatSync(descriptor).isFile()) {
    throw new TypeError(`${path}: it is no file. Put a Markdown file there, or remove it.`);
  }
  const buffer = new Uint8Array(mostBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= mostBytes; length += read) {
    read = readSync(descriptor, buffer, { offset: length });
    if (read === 0) break;
  }
  if (length > mostBytes) {
    throw new TypeError(`${path}: it has more than ${mostBytes / 1024} KB. Shorten it.`);
  }
  return buffer.subarray(0, length);
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError(`${path}: it is not UTF-8. Save it with that encoding.`);
  }
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
