import type { TextMatch } from "@haft/contract";

/** A matching line with its context lines. */
export interface GrepMatch {
  path: string;
  line: number;
  text: string;
  clipped?: true;
  before?: string[];
  after?: string[];
}

/** Assigns context lines to matches: each to the match above it, or else below it. */
export function gatherMatches(found: readonly TextMatch[]): GrepMatch[] {
  const matches: GrepMatch[] = [];
  let before: TextMatch[] = [];
  let previous: TextMatch | undefined;
  for (const one of found) {
    const follows = previous?.path === one.path && previous.line + 1 === one.line;
    if (!follows) before = [];
    previous = one;
    const last = matches.at(-1);
    if (one.context !== true) {
      matches.push(toMatch(one, before));
      before = [];
    } else if (follows && before.length === 0 && last !== undefined) {
      last.after = [...(last.after ?? []), one.text];
    } else {
      before.push(one);
    }
  }
  return matches;
}

function toMatch(
  { path, line, text, clipped }: TextMatch,
  before: readonly TextMatch[],
): GrepMatch {
  const match: GrepMatch = { path, line, text };
  if (clipped) match.clipped = true;
  if (before.length > 0) match.before = before.map((one) => one.text);
  return match;
}
