import { loosenEnds } from "./loosen-ends.ts";
import { parseRegex } from "./parse-regex.ts";
import { weighRegex } from "./regex-effort.ts";
import type { RegexNode } from "./regex-node.ts";
import { findRequiredTexts, type RequiredTexts } from "./required-texts.ts";
import { toRegexSource } from "./to-regex-source.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** How to read a pattern. */
export interface RegexMeaning {
  /** Literal text, not an expression. */
  readonly literal: boolean;
  readonly caseSensitive: boolean;
}

/** A pattern that JavaScript understands as Rust does. */
export interface TranslatedRegex {
  /** Global. Searches a text of many lines; a match never spans two, and may be empty. */
  readonly regex: RegExp;
  /** The whole pattern, if it is only this text in this letter case. */
  readonly text: string | undefined;
  readonly required: RequiredTexts;
  /** Letter case is ignored: K and S also occur as U+212A and U+017F. */
  readonly ignoresCase: boolean;
  /** A longer line may take too long. */
  readonly maxLineLength: number;
  /** Whether it finds the same lines where bytes that are not UTF-8 were replaced by U+FFFD. */
  readonly standsReplacement: boolean;
}

/**
 * Translates a Rust pattern to JavaScript so that it matches the same lines. Undefined if that is not
 * certain, if it is not valid, or if it could take too long.
 */
export function translateRegex(
  pattern: string,
  { literal, caseSensitive }: RegexMeaning,
): TranslatedRegex | undefined {
  const parsed = parse(pattern, literal);
  if (parsed === undefined) return undefined;
  const node = loosenEnds(parsed.node);
  const effort = weighRegex(node);
  if (effort === undefined || effort.choices > maxChoices || effort.size > largest) {
    return undefined;
  }
  const maxLineLength = maxLineLengths[effort.unbounded];
  if (maxLineLength === undefined) return undefined;
  const ignoresCase = parsed.ignoresCase || !caseSensitive;
  return {
    regex: new RegExp(toWholeSource(node), ignoresCase ? "giv" : "gv"),
    text: node.kind === "text" && !ignoresCase ? node.text : undefined,
    required: findRequiredTexts(node, !ignoresCase),
    ignoresCase,
    maxLineLength,
    standsReplacement: standsReplacement(node),
  };
}

const maxChoices = 2000;
const largest = 2000;

// By the number of unbounded repetitions: each multiplies the effort by the length of the line.
const maxLineLengths = [1_000_000, 20_000, 3000, 1000];

function parse(
  pattern: string,
  literal: boolean,
): { readonly node: RegexNode; readonly ignoresCase: boolean } | undefined {
  if (!pattern.isWellFormed() || pattern.length > 1000) return undefined;
  if (literal) {
    const isOneLine = !/[\n\0]/u.test(pattern);
    return isOneLine ? { node: { kind: "text", text: pattern }, ignoresCase: false } : undefined;
  }
  try {
    return parseRegex(pattern);
  } catch (error) {
    if (error instanceof UnsupportedRegex) return undefined;
    throw error;
  }
}

/**
 * Keeps an empty match from standing between the two halves of a character above U+FFFF, where V8 looks
 * too. No character follows there.
 */
function toWholeSource(node: RegexNode): string {
  const source = toRegexSource(node);
  return canBeEmpty(node) ? `(?=[^]|$)(?:${source})` : source;
}

function canBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case "text":
      return node.text === "";
    case "set":
      return false;
    case "assertion":
      return true;
    case "sequence":
      return node.parts.every(canBeEmpty);
    case "choice":
      return node.branches.some(canBeEmpty);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.part);
  }
}

function standsReplacement(node: RegexNode): boolean {
  switch (node.kind) {
    case "text":
      return !node.text.includes("\ufffd");
    case "set":
      return !new RegExp(node.source, "v").test("\ufffd");
    case "assertion":
      // Between two bytes that are not text Rust sees neither a word boundary nor its absence.
      return !node.source.startsWith("(?:");
    case "sequence":
      return node.parts.every(standsReplacement);
    case "choice":
      return node.branches.every(standsReplacement);
    case "repeat":
      return standsReplacement(node.part);
  }
}
