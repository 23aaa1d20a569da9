import type { RegexNode } from "./regex-node.ts";

/** Of each group a line must contain at least one text, or it can't match. */
export type RequiredTexts = readonly (readonly string[])[];

/** Finds texts that every matching line contains, ASCII letters in lower case. */
export function findRequiredTexts(node: RegexNode, caseSensitive: boolean): RequiredTexts {
  return findIn(node, caseSensitive ? keepWhole : splitAtFolds);
}

type Split = (text: string) => string[];

function findIn(node: RegexNode, split: Split): string[][] {
  switch (node.kind) {
    case "text":
      return split(node.text)
        .filter((text) => isLongEnough(text))
        .map((text) => [text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase())]);
    case "sequence":
      return node.parts.flatMap((part) => findIn(part, split));
    case "repeat":
      return node.min > 0 ? findIn(node.part, split) : [];
    case "choice":
      return uniteBranches(node.branches.map((branch) => findIn(branch, split)));
    default:
      return [];
  }
}

// One text of each branch: the longest, which is least likely to occur in other files.
function uniteBranches(branches: readonly string[][][]): string[][] {
  const best = branches.map((groups) =>
    groups.toSorted((a, b) => shortestOf(b) - shortestOf(a)).at(0),
  );
  return best.every((group) => group !== undefined) ? [best.flat()] : [];
}

function shortestOf(group: readonly string[]): number {
  return Math.min(...group.map((text) => text.length));
}

function keepWhole(text: string): string[] {
  return [text];
}

// Letters outside ASCII may occur in the line in another form, with other bytes.
function splitAtFolds(text: string): string[] {
  return text.split(/[^\0-\x7f]+/u);
}

const encoder = new TextEncoder();

function isLongEnough(text: string): boolean {
  return encoder.encode(text).length >= 3;
}
