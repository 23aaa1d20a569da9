import { diffLines } from "@haft/contract/internal";
import type { LineRule, TextRange } from "./line-rule.ts";
import { matchLines } from "./match-lines.ts";
import { scanTokens } from "./scan-tokens.ts";
import { indentationOf } from "./shift-indentation.ts";

/** A match, and the new text for it. */
interface SpacedMatch extends TextRange {
  readonly newText: string;
}

/**
 * Finds whole lines with the same words and signs, and the same indentation, where only the space between
 * them differs. The change is made in the file's own lines. Skips a match if the call changes such space
 * itself, because then it is not clear what it means.
 */
export function matchSpacing(
  text: string,
  { old, now }: { readonly old: readonly string[]; readonly now: readonly string[] },
): SpacedMatch[] {
  if (!hasTokens(text, old)) return [];
  return matchLines(text, old, sameTokens).flatMap(({ start, end }) => {
    const file = text.slice(start, end).replaceAll("\r\n", "\n").split("\n");
    const lines = mergeLines(file, old, now);
    return lines === undefined ? [] : [{ start, end, newText: lines.join("\n") }];
  });
}

/** Tells whether the words and signs may be in the text, with any space. This is quicker than comparing lines. */
function hasTokens(text: string, lines: readonly string[]): boolean {
  const words = lines.flatMap((line) => splitTokens(line).words);
  const places = scanTokens(text, words, { ignored: "", alike: "" });
  return places === undefined || places.length > 0;
}

const sameTokens: LineRule = {
  fold: (line) =>
    line.trim() === "" ? "" : [indentationOf(line), ...splitTokens(line).words].join("\u0000"),
  toNeedle: (line) =>
    splitTokens(line).words.reduce(
      (longest, word) => (word.length > longest.length ? word : longest),
      "",
    ),
  isFirstWhole: true,
  isLastWhole: true,
};

interface Tokens {
  readonly words: readonly string[];
  /** The space before each of them, and after the last. */
  readonly spaces: readonly string[];
}

function splitTokens(line: string): Tokens {
  const found = [...line.matchAll(/(\s*)([\p{L}\p{N}_]+|\S)/gu)];
  const spaces = found.map(([, space]) => space as string);
  return {
    words: found.map(([, , word]) => word as string),
    spaces: [...spaces, line.slice(line.trimEnd().length)],
  };
}

function mergeLines(
  file: readonly string[],
  old: readonly string[],
  now: readonly string[],
): string[] | undefined {
  const merged: string[] = [];
  let at = 0;
  for (const { isSame, before, after } of diffLines(old, now)) {
    const own = file.slice(at, at + before.length);
    at += before.length;
    if (isSame) {
      merged.push(...own);
    } else if (own.every((line, index) => line === before[index])) {
      merged.push(...after);
    } else if (before.length === after.length) {
      for (const [index, line] of after.entries()) {
        const tokens = mergeTokens(own[index] as string, before[index] as string, line);
        if (tokens === undefined) return undefined;
        merged.push(tokens);
      }
    } else {
      return undefined;
    }
  }
  return merged;
}

/** Makes the change of a line in the words and signs of the file's line, with its space where the call kept its own. */
function mergeTokens(file: string, old: string, now: string): string | undefined {
  const [own, was, is] = [splitTokens(file), splitTokens(old), splitTokens(now)];
  if (
    was.words.length === is.words.length &&
    was.words.every((word, at) => word === is.words[at])
  ) {
    return undefined;
  }
  let merged = "";
  let [from, to] = [0, 0];
  const spaceAt = (before: number, after: number): string =>
    was.spaces[before] === is.spaces[after]
      ? (own.spaces[before] as string)
      : (is.spaces[after] as string);
  for (const { isSame, before, after } of diffLines(was.words, is.words)) {
    for (const [index, word] of after.entries()) {
      const isPaired = isSame || index < before.length;
      merged += (isPaired ? spaceAt(from + index, to + index) : is.spaces[to + index]) + word;
    }
    from += before.length;
    to += after.length;
  }
  return merged + spaceAt(was.words.length, is.words.length);
}
