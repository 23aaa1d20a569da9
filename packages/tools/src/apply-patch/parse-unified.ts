import type { PatchSection } from "./patch.ts";
import { patchError } from "./patch-error.ts";
import { isFileHeader, parseUnifiedHunk } from "./unified-hunk.ts";
import { parseGitNames, parseHeaderName } from "./unified-paths.ts";
import { UnifiedSection } from "./unified-section.ts";

/** Reads a unified diff of one or several files, plain or as git writes it. */
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
      // Git's own headers come before these; others are those of another file.
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
    throw patchError(at, "this is the diff of a merge, which can't be applied. Send a plain one.");
  }
  if (open?.hasNames) return;
  throw patchError(at, "this hunk belongs to no file: `--- a/path` and `+++ b/path` are missing.");
}

function requireKnown(line: string, at: number): void {
  if (line.startsWith("GIT binary patch") || /^Binary files .* differ$/u.test(line)) {
    throw patchError(at, "patches of binary files can't be applied. Leave this file out.");
  }
  if (/^(?:--- |\+\+\+ )/u.test(line)) {
    throw patchError(at, "a file's header has two lines, `--- a/path` and `+++ b/path`.");
  }
  if (/^diff --(?:cc|combined) /u.test(line)) {
    throw patchError(at, "this is the diff of a merge, which can't be applied. Send a plain one.");
  }
}

/** Lines between a file's header and its first hunk would be lost. */
function requireText(open: UnifiedSection, line: string, at: number): void {
  if (!open.awaitsHunk || line.trim() === "") return;
  throw patchError(at, "expected the header of a hunk, such as `@@ -1,3 +1,4 @@`.");
}
