import { loosenEnds } from "./loosen-ends.ts";
import { parseRegex } from "./parse-regex.ts";
import { weighRegex } from "./regex-effort.ts";
import type { RegexNode } from "./regex-node.ts";
import { findRequiredTexts, type RequiredTexts } from "./required-texts.ts";
import { toRegexSource } from "./to-regex-source.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** How a pattern is meant. */
export interface RegexMeaning {
  /** The text itself, not an expression. */
  readonly literal: boolean;
  readonly caseSensitive: boolean;
}

/** A pattern that JavaScript understands as Rust does. */
export interface TranslatedRegex {
  /** Global. Finds in a text of many lines; a match never spans two, and may be empty. */
  readonly regex: RegExp;
  /** All that the pattern is, if it is nothing but this text in this letter case. */
  readonly text: string | undefined;
  readonly required: RequiredTexts;
  /** Letter case does not matter: K and S also come as U+212A and U+017F. */
  readonly ignoresCase: boolean;
  /** A line longer than this may take it too long. */
  readonly longestLine: number;
  /** Finds the same lines where bytes that are not UTF-8 were replaced by U+FFFD. */
  readonly standsReplacement: boolean;
}

/**
 * Translates a pattern of Rust's into one of JavaScript's that matches the same lines. Undefined if
 * it is not certain to, if it is not valid, or if it could take too long.
 */
export function translateRegex(
  pattern: string,
  { literal, caseSensitive }: RegexMeaning,
): TranslatedRegex | undefined {
  const parsed = parse(pattern, literal);
  if (parsed === undefined) return undefined;
  const node = loosenEnds(parsed.node);
  const effort = weighRegex(node);
  if (effort === undefined || effort.choices > mostChoices || effort.size > largest) {
    return undefined;
  }
  const longestLine = longestLines[effort.unbounded];
  if (longestLine === undefined) return undefined;
  const ignoresCase = parsed.ignoresCase || !caseSensitive;
  return {
    regex: new RegExp(toRegexSource(node), ignoresCase ? "giv" : "gv"),
    text: node.kind === "text" && !ignoresCase ? node.text : undefined,
    required: findRequiredTexts(node, !ignoresCase),
    ignoresCase,
    longestLine,
    standsReplacement: standsReplacement(node),
  };
}

const mostChoices = 2000;
const largest = 2000;

// By the number of unbounded repetitions: each multiplies the effort by the length of the line.
const longestLines = [1_000_000, 20_000, 3000, 1000];

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

function standsReplacement(node: RegexNode): boolean {
  switch (node.kind) {
    case "text":
      return !node.text.includes("\ufffd");
    case "set":
      return !new RegExp(node.source, "v").test("\ufffd");
    case "assertion":
      // Between two bytes that are no text Rust sees neither an edge of a word nor its absence.
      return !node.source.startsWith("(?:");
    case "sequence":
      return node.parts.every(standsReplacement);
    case "choice":
      return node.branches.every(standsReplacement);
    case "repeat":
      return standsReplacement(node.part);
  }
}
