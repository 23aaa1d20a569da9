import { type ResourceKey, ToolError } from "@haft/contract";
import { parseBeginPatch } from "./parse-begin-patch.ts";
import { parseUnified } from "./parse-unified.ts";
import type { PatchSection } from "./patch.ts";

/**
 * Parses a patch in either format, and ignores text around it, such as a code fence. Throws
 * `invalid-arguments` if it is ambiguous or malformed.
 */
export function parsePatch(patch: string): readonly PatchSection[] {
  const lines = toLines(unescapeLine(patch));
  // Every line of a hunk starts with a sign, so the first of these marks belongs to the patch.
  const start = lines.findIndex((line) => marks.test(line));
  const sections = start === -1 ? [] : parseFrom(lines, start);
  if (sections.length > 0) return sections;
  throw new ToolError(
    "invalid-arguments",
    "This text contains no patch. Send a unified diff (`--- a/path`, `+++ b/path`, `@@ -1,3 +1,4 @@`) or the format between `*** Begin Patch` and `*** End Patch`.",
  );
}

/** Returns every path that a patch touches, or none if it is malformed. */
export function findPatchKeys(patch: string): readonly ResourceKey[] {
  const keys = new Map<string, ResourceKey>();
  try {
    for (const { action, form, path, target } of parsePatch(patch)) {
      // A file that the patch itself created is not read from the disk.
      const reads = action !== "create" && (action !== "delete" || form === "unified");
      if (!keys.has(path)) keys.set(path, { key: path, mode: "write", ...(reads && { reads }) });
      if (target && !keys.has(target)) keys.set(target, { key: target, mode: "write" });
    }
    return [...keys.values()];
  } catch {
    return [];
  }
}

/** Undoes the escaping of a patch that was sent as one line. */
function unescapeLine(patch: string): string {
  const line = patch.trim();
  if (line.includes("\n") || !/^(?:\*\*\* Begin Patch|--- |diff --git )[^\n]*?\\n/u.test(line))
    return patch;
  try {
    return JSON.parse(`"${line}"`) as string;
  } catch {
    // With quotes that are not escaped, only line breaks can be: any other backslash is ambiguous.
    return /\\(?!n)/u.test(line) ? patch : line.replaceAll("\\n", "\n");
  }
}

const marks = /^(?:\s*\*\*\* Begin Patch\s*$|\*\*\* (?:Add|Delete|Update) File: |diff --|--- |@@)/u;

function parseFrom(lines: readonly string[], start: number): readonly PatchSection[] {
  const first = lines[start] as string;
  if (/^\s*\*\*\* /u.test(first)) return parseBeginPatch(lines, start);
  return parseUnified(lines, start);
}

function toLines(patch: string): string[] {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // If a mark ends with a carriage return, the whole patch was converted in transit.
  const isConverted = lines.some((line) => line.endsWith("\r") && marks.test(line));
  return isConverted ? lines.map((line) => line.replace(/\r$/u, "")) : lines;
}
