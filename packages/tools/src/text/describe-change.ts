import { ToolError } from "@haft/contract";
import { compareTexts } from "@haft/contract/internal";
import { openText } from "./text-document.ts";

// Longer diffs cost tokens without being read.
const maxCharacters = 32_000;

/** Returns the diff of two contents of a file, if both are text and it is short enough. */
export function describeChange(
  name: string,
  before: Uint8Array,
  after: Uint8Array,
): string | undefined {
  const diff = diffContents(name, before, after) ?? "";
  return diff.length > 0 && diff.length <= maxCharacters ? diff : undefined;
}

/** Returns the diff of two contents of a file, if both are text. Empty if they are the same. */
export function diffContents(
  name: string,
  before: Uint8Array,
  after: Uint8Array,
): string | undefined {
  const [old, now] = [readText(before, name), readText(after, name)];
  if (old === undefined || now === undefined) return undefined;
  return compareTexts(name, old, now);
}

function readText(bytes: Uint8Array, name: string): string | undefined {
  try {
    return openText(bytes, name).text;
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}
