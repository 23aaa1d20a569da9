import { ToolError } from "@haft/contract";
import { parseBeginPatch } from "./parse-begin-patch.ts";
import { parseUnified } from "./parse-unified.ts";
import type { PatchSection } from "./patch.ts";

/**
 * Reads a patch in either form; what stands before and after it, such as a code fence, is left out.
 * Throws `invalid-arguments` where it can't be understood without guessing.
 */
export function parsePatch(patch: string): readonly PatchSection[] {
  const lines = toLines(patch);
  // Every line of a hunk has a sign before it, so the first of these marks is the patch's own.
  const start = lines.findIndex((line) => marks.test(line));
  const sections = start === -1 ? [] : parseFrom(lines, start);
  if (sections.length > 0) return sections;
  throw new ToolError(
    "invalid-arguments",
    "There is no patch in this text. Send a unified diff (`--- a/path`, `+++ b/path`, `@@ -1,3 +1,4 @@`) or the form between `*** Begin Patch` and `*** End Patch`.",
  );
}

/** Every path that a patch touches; none if it can't be understood. */
export function findPatchPaths(patch: string): string[] {
  try {
    const sections = parsePatch(patch);
    return [
      ...new Set(sections.flatMap(({ path, target }) => [path, ...(target ? [target] : [])])),
    ];
  } catch {
    return [];
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
  // A mark that ends with a carriage return shows that the whole patch was converted on its way.
  const isConverted = lines.some((line) => line.endsWith("\r") && marks.test(line));
  return isConverted ? lines.map((line) => line.replace(/\r$/u, "")) : lines;
}
