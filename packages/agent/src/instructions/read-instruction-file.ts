import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { readTextFile } from "./read-text-file.ts";
import type { TrustedOwners } from "./trusted-owners.ts";

/** A file with instructions, or why it is not heeded, as the rest of a sentence. */
export type ReadInstructions =
  | { readonly text: string; readonly bytes: number; readonly isHead: boolean }
  | { readonly fault: string };

/** Reads a file with instructions, the head of a very long one; `undefined` if there is nothing. */
export function readInstructionFile(
  path: string,
  owners: TrustedOwners,
  mostBytes: number,
): ReadInstructions | undefined {
  let entry: Stats | undefined;
  try {
    entry = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A directory above that may not be looked into: not even that the file is there can be told.
    return undefined;
  }
  if (entry === undefined) return undefined;
  const fault = entry.isSymbolicLink() ? findLinkFault(path) : undefined;
  const doubt = fault ?? owners.findDoubt(entry, dirname(path));
  if (doubt !== undefined) return { fault: doubt };
  const read = readTextFile(path, { mostBytes, takesHead: true });
  if ("fault" in read) return read;
  const foreign = owners.findDoubt(read.stat, dirname(path));
  if (foreign !== undefined) return { fault: foreign };
  if (read.text.includes("\0")) return { fault: "is no text" };
  const text = read.text.replaceAll(/\r\n?/gu, "\n").trim();
  const bytes = read.stat.size;
  return text === "" ? undefined : { text, bytes, isHead: bytes > mostBytes };
}

// A repository can hold a link to anything at all; what is not written to be read stays out of prompts.
function findLinkFault(path: string): string | undefined {
  try {
    const target = realpathSync(path);
    return /\.(?:md|mdc|markdown|txt)$/iu.test(target)
      ? undefined
      : `is a link to ${target}, which is no Markdown file`;
  } catch {
    return "is a link that leads nowhere";
  }
}
