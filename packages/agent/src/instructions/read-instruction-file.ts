import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { toPlainText } from "@haft/core/internal";
import { readTextFile } from "../text-files/read-text-file.ts";
import type { TrustedOwners } from "./trusted-owners.ts";

/** An instruction file, or why it is ignored, as the rest of a sentence. */
export type ReadInstructions =
  | { readonly text: string; readonly bytes: number; readonly isHead: boolean }
  | { readonly fault: string };

/** Reads an instruction file, or the beginning of a very long one. Returns `undefined` if it is missing or empty. */
export function readInstructionFile(
  path: string,
  owners: TrustedOwners,
  maxBytes: number,
): ReadInstructions | undefined {
  let entry: Stats | undefined;
  try {
    entry = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent directory without permission: whether the file exists can't be told.
    return undefined;
  }
  if (entry === undefined) return undefined;
  const fault = entry.isSymbolicLink() ? findLinkFault(path) : undefined;
  const doubt = fault ?? owners.findDoubt(entry, dirname(path));
  if (doubt !== undefined) return { fault: doubt };
  const read = readTextFile(path, { maxBytes, takesHead: true });
  if ("fault" in read) return read;
  const foreign = owners.findDoubt(read.stat, dirname(path));
  if (foreign !== undefined) return { fault: foreign };
  if (read.text.includes("\0")) return { fault: "is not a text file" };
  const text = toPlainText(read.text).trim();
  const bytes = read.stat.size;
  return text === "" ? undefined : { text, bytes, isHead: bytes > maxBytes };
}

// A repository can contain a link to any file. Only documents may get into prompts.
function findLinkFault(path: string): string | undefined {
  try {
    const target = realpathSync(path);
    return /\.(?:md|mdc|markdown|txt)$/iu.test(target)
      ? undefined
      : `is a link to ${target}, which is not a Markdown file`;
  } catch {
    return "is a broken link";
  }
}
