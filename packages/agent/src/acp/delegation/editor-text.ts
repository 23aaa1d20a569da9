import { createHash } from "node:crypto";

/**
 * What an editor holds of a file, in the form in which the file is kept. Many editors know a text
 * without its byte order mark and with plain line ends. `undefined` if it is what the file holds.
 */
export function findUnsavedText(held: string, onDisk: string): string | undefined {
  if (held === onDisk || toPlain(held) === toPlain(onDisk)) return undefined;
  const hasMark = onDisk.startsWith(mark) && !held.startsWith(mark);
  const hasReturns = onDisk.includes("\r\n") && !held.includes("\r\n");
  const text = hasReturns ? held.replaceAll("\n", "\r\n") : held;
  return hasMark ? mark + text : text;
}

/** The version of a file that an editor holds differently from the disk. */
export function joinVersions(disk: string, unsaved: string | undefined): string {
  if (unsaved === undefined) return disk;
  return `${disk}${separator}${createHash("sha256").update(unsaved).digest("base64url")}`;
}

/** The disk's part of such a version. */
export function diskVersion(version: string): string {
  const at = version.lastIndexOf(separator);
  return at < 0 ? version : version.slice(0, at);
}

const mark = "\ufeff";
const separator = "+unsaved:";

function toPlain(text: string): string {
  return (text.startsWith(mark) ? text.slice(1) : text).replaceAll("\r\n", "\n");
}
