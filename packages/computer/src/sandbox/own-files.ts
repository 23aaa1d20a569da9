import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const own = new Map<string, string>();

/**
 * Remembers that this process itself wrote a protected file, such as the rules a person just
 * agreed to, so that it is not taken for a command's work.
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

function summarize(path: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
