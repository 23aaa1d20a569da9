import { contentEnd, diffLines, lineEnd, lineStart } from "@haft/contract/internal";
import type { TextRange } from "./line-rule.ts";
import { type RareToken, scanTokens, spacing } from "./scan-tokens.ts";
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
  { old, now, rarest }: Record<"old" | "now", readonly string[]> & { readonly rarest: RareToken },
): SpacedMatch[] {
  const tokens = old.flatMap((line) => splitTokens(line).words);
  const places = scanTokens(text, { tokens, rule: spacing, rarest }) ?? [];
  return places.flatMap((place) => {
    const range = findLines(text, [place[0] as number, place.at(-1) as number], old);
    if (range === undefined) return [];
    const file = text.slice(range.start, range.end).replaceAll("\r\n", "\n").split("\n");
    const isSame = file.length === old.length && file.every((line, at) => isAlike(line, old[at]));
    if (!isSame) return [];
    const lines = mergeLines(file, old, now);
    return lines === undefined ? [] : [{ ...range, newText: lines.join("\n") }];
  });
}

/** Returns the range of as many lines as wanted around tokens. An empty last line stands for a line break. */
function findLines(
  text: string,
  [first, last]: readonly [number, number],
  wanted: readonly string[],
): TextRange | undefined {
  let start = lineStart(text, first);
  for (const line of wanted) {
    if (line.trim() !== "") break;
    if (start === 0) return undefined;
    start = lineStart(text, start - 1);
  }
  let end = contentEnd(text, last, lineEnd(text, last));
  for (const line of wanted.slice(wanted.findLastIndex((each) => each.trim() !== "") + 1)) {
    const next = lineEnd(text, end);
    if (text[next - 1] !== "\n") return undefined;
    end = line === "" ? next : contentEnd(text, next, lineEnd(text, next));
  }
  return { start, end };
}

/** Tells whether two lines have the same indentation, words and signs. */
function isAlike(one: string, other = ""): boolean {
  if (one.trim() === "" || other.trim() === "") return one.trim() === other.trim();
  if (indentationOf(one) !== indentationOf(other)) return false;
  const [words, others] = [splitTokens(one).words, splitTokens(other).words];
  return words.length === others.length && words.every((word, at) => word === others[at]);
}

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
