import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";

const own = new Map<string, string>();

/**
 * Records that this process itself wrote a protected file, such as the rules a person just agreed to,
 * so that it is not attributed to a command.
 */
export function noteOwnFile(path: string): void {
  const content = summarize(path);
  if (content !== undefined) own.set(path, content);
}

/** Whether a file is still as this process wrote it. */
export function isOwnFile(path: string): boolean {
  const content = own.get(path);
  return content !== undefined && content === summarize(path);
}

const maxBytes = 16 * 1024 * 1024;

// A command may have put a pipe there, which would block, or a link.
function summarize(path: string): string | undefined {
  const { bytes } = readUntrustedFile(path, { within: dirname(dirname(path)), maxBytes });
  return bytes && createHash("sha256").update(bytes).digest("hex");
}
