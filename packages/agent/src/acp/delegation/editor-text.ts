import { createHash } from "node:crypto";

/**
 * Converts an editor's text to the form of the file. Many editors keep a text
 * without its byte order mark and with `\n` line ends. Returns `undefined` if it equals the file.
 */
export function findUnsavedText(held: string, onDisk: string): string | undefined {
  if (held === onDisk || toPlain(held) === toPlain(onDisk)) return undefined;
  const hasMark = onDisk.startsWith(mark) && !held.startsWith(mark);
  const hasReturns = onDisk.includes("\r\n") && !held.includes("\r\n");
  const text = hasReturns ? held.replaceAll("\n", "\r\n") : held;
  return hasMark ? mark + text : text;
}

/** Returns the version of a file whose text in the editor differs from the disk. */
export function joinVersions(disk: string, unsaved: string | undefined): string {
  if (unsaved === undefined) return disk;
  return `${disk}${separator}${createHash("sha256").update(unsaved).digest("base64url")}`;
}

/** Returns the disk's part of such a version. */
export function diskVersion(version: string): string {
  const at = version.lastIndexOf(separator);
  return at < 0 ? version : version.slice(0, at);
}

const mark = "\ufeff";
const separator = "+unsaved:";

function toPlain(text: string): string {
  return (text.startsWith(mark) ? text.slice(1) : text).replaceAll("\r\n", "\n");
}
