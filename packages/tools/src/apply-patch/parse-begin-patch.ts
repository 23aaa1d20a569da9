import { parseHunkBody } from "./hunk-body.ts";
import { parseHunkHeader } from "./hunk-header.ts";
import { isBlankLine, unendLast } from "./hunk-line.ts";
import type { Hunk, HunkLine, LineHint, PatchSection } from "./patch.ts";
import { patchError } from "./patch-error.ts";

/** Parses the format between `*** Begin Patch` and `*** End Patch`. */
export function parseBeginPatch(lines: readonly string[], start: number): PatchSection[] {
  const sections: PatchSection[] = [];
  let at = beginMark.test(lines[start] as string) ? start + 1 : start;
  for (;;) {
    const line = lines[at];
    if (line === undefined) {
      requireWhole(sections, lines);
      break;
    }
    if (endMark.test(line)) break;
    if (line.trim() === "") {
      at++;
      continue;
    }
    const [section, next] = parseSection(lines, at);
    sections.push(section);
    at = next;
  }
  requireNothingElse(lines, at + 1);
  return sections;
}

const beginMark = /^\s*\*\*\* Begin Patch\s*$/u;
const endMark = /^\s*\*\*\* End Patch\s*$/u;
const fileMark = /^\*\*\* (Add|Delete|Update) File: *(.*?)\s*$/u;
const moveMark = /^\*\*\* Move to: *(.*?)\s*$/u;
const endOfFileMark = /^\*\*\* End of File\s*$/u;
const otherPatch = /^(?:\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )|diff --git |@@ )/u;

function parseSection(lines: readonly string[], at: number): [PatchSection, next: number] {
  const [, verb, path] = fileMark.exec((lines[at] as string).trimStart()) ?? [];
  if (!path) {
    throw patchError(
      at,
      "expected `*** Add File: path`, `*** Delete File: path`, `*** Update File: path` or `*** End Patch`.",
    );
  }
  const section = { form: "begin-patch", path, hunks: [] } as const;
  if (verb === "Delete") return [{ ...section, action: "delete" }, at + 1];
  if (verb === "Add") {
    const [added, next] = parseAdded(lines, at + 1);
    const hunk: Hunk = { lines: added, anchors: [], isAtEnd: false };
    return [{ ...section, action: "create", hunks: [hunk] }, next];
  }
  const target = moveMark.exec(lines[at + 1] ?? "")?.[1];
  const [hunks, next] = parseHunks(lines, target === undefined ? at + 1 : at + 2);
  if (hunks.length === 0 && !target) throw patchError(at, `the update of ${path} has no hunks.`);
  const update = { ...section, action: "update", hunks } as const;
  return [target ? { ...update, target } : update, next];
}

function parseAdded(lines: readonly string[], start: number): [HunkLine[], next: number] {
  const added: HunkLine[] = [];
  let at = start;
  let blanks = 0;
  for (; at < lines.length && !isMark(lines[at] as string); at++) {
    const line = lines[at] as string;
    if (line.startsWith("\\")) {
      unendLast(added, at);
    } else if (line.startsWith("+")) {
      // An empty line between others has lost its sign; one at the end separates sections.
      for (; blanks > 0; blanks--) added.push({ kind: "added", text: "" });
      added.push({ kind: "added", text: line.slice(1) });
    } else if (isBlankLine(line)) {
      blanks++;
    } else {
      throw patchError(at, "every line of a new file must begin with +.");
    }
  }
  return [added, at];
}

function parseHunks(lines: readonly string[], start: number): [Hunk[], next: number] {
  const hunks: Hunk[] = [];
  let at = start;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (isBlankLine(line)) at++;
    else if (isMark(line)) break;
    else {
      const [hunk, next] = parseHunk(lines, at);
      hunks.push(hunk);
      at = next;
    }
  }
  return [hunks, at];
}

function parseHunk(lines: readonly string[], start: number): [Hunk, next: number] {
  const anchors: string[] = [];
  let hint: LineHint | undefined;
  let at = start;
  for (; lines[at]?.startsWith("@@"); at++) {
    const line = lines[at] as string;
    // Some models write headers of unified diffs here; their line numbers are as good as an anchor.
    hint = parseHunkHeader(line)?.old ?? hint;
    const anchor = /^@@ (.*?)(?: @@)?$/u.exec(line)?.[1];
    if (anchor?.trim() && !parseHunkHeader(line)) anchors.push(anchor);
  }
  const isEnd = (place: number): boolean =>
    /^(?:@@|\*\*\* )/u.test(lines[place] as string) || isPaddedEnd(lines, place);
  const { lines: body, next } = parseHunkBody(lines, at, isEnd);
  if (body.length === 0) throw patchError(at - 1, "this hunk has no lines.");
  const isAtEnd = endOfFileMark.test(lines[next] ?? "");
  const hunk: Hunk = { lines: body, anchors, isAtEnd, ...(hint === undefined ? {} : { hint }) };
  return [hunk, isAtEnd ? next + 1 : next];
}

/** With space before it, the mark could be a context line, but not as the last line of the patch. */
function isPaddedEnd(lines: readonly string[], at: number): boolean {
  if (!endMark.test(lines[at] as string)) return false;
  return lines.slice(at + 1).every((line) => line.trim() === "");
}

/** Refuses a patch without its end if nothing in the file can tell whether lines are missing. */
function requireWhole(sections: readonly PatchSection[], lines: readonly string[]): void {
  const last = sections.at(-1);
  if (last === undefined || last.action !== "create") return;
  throw patchError(
    lines.length - 1,
    `the patch has no \`*** End Patch\`, so ${last.path} may have been cut off. Send the whole patch.`,
  );
}

function isMark(line: string): boolean {
  return fileMark.test(line) || endMark.test(line);
}

function requireNothingElse(lines: readonly string[], from: number): void {
  const other = lines.findIndex((line, at) => at >= from && otherPatch.test(line));
  if (other === -1) return;
  throw patchError(
    other,
    "there is another patch after `*** End Patch`. Send one patch at a time.",
  );
}
