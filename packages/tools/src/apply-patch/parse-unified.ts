import type { PatchSection } from "./patch.ts";
import { patchError } from "./patch-error.ts";
import { isFileHeader, parseUnifiedHunk } from "./unified-hunk.ts";
import { parseGitNames, parseHeaderName } from "./unified-paths.ts";
import { UnifiedSection } from "./unified-section.ts";

/** Parses a unified diff of one or several files, with or without git headers. */
export function parseUnified(lines: readonly string[], start: number): PatchSection[] {
  const sections: UnifiedSection[] = [];
  let open: UnifiedSection | undefined;
  let at = start;
  while (at < lines.length) {
    const line = (lines[at] as string).replace(/\r$/u, "");
    if (line.startsWith("diff --git ")) {
      open = new UnifiedSection(at, parseGitNames(line.slice("diff --git ".length)));
      sections.push(open);
      at++;
    } else if (isHeaderPair(lines, at)) {
      const old = parseHeaderName(line.slice(4));
      const renamed = parseHeaderName((lines[at + 1] as string).slice(4));
      // These follow git's own headers of the same file; otherwise they start another file.
      if (!open?.mayHave(old, renamed)) {
        open = new UnifiedSection(at, undefined);
        sections.push(open);
      }
      open.setNames(old, renamed);
      at += 2;
    } else if (line.startsWith("@@")) {
      requireFile(open, lines, at);
      const parsed = parseUnifiedHunk(lines, at);
      open.addHunk(parsed);
      at = parsed.next;
    } else {
      requireKnown(line, at);
      if (open !== undefined && !open.takeHeader(line, at)) requireText(open, line, at);
      at++;
    }
  }
  return sections.map((section) => section.finish());
}

function isHeaderPair(lines: readonly string[], at: number): boolean {
  if (isFileHeader(lines, at)) return true;
  return (lines[at]?.startsWith("--- ") ?? false) && (lines[at + 1]?.startsWith("+++ ") ?? false);
}

function requireFile(
  open: UnifiedSection | undefined,
  lines: readonly string[],
  at: number,
): asserts open is UnifiedSection {
  if (lines[at]?.startsWith("@@@")) {
    throw patchError(at, "the diff of a merge can't be applied. Send a plain diff.");
  }
  if (open?.hasNames) return;
  throw patchError(at, "this hunk has no file: `--- a/path` and `+++ b/path` are missing.");
}

function requireKnown(line: string, at: number): void {
  if (line.startsWith("GIT binary patch") || /^Binary files .* differ$/u.test(line)) {
    throw patchError(at, "patches of binary files can't be applied. Leave this file out.");
  }
  if (/^(?:--- |\+\+\+ )/u.test(line)) {
    throw patchError(at, "a file header needs two lines, `--- a/path` and `+++ b/path`.");
  }
  if (/^diff --(?:cc|combined) /u.test(line)) {
    throw patchError(at, "the diff of a merge can't be applied. Send a plain diff.");
  }
}

/** Refuses lines between a file's header and its first hunk, which would be lost. */
function requireText(open: UnifiedSection, line: string, at: number): void {
  if (!open.awaitsHunk || line.trim() === "") return;
  throw patchError(at, "expected a hunk header such as `@@ -1,3 +1,4 @@`.");
}
