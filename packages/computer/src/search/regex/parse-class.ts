import { type SetMember, toCharacterSet, toRangeMember, toSetMember } from "./character-set.ts";
import { parseEscape } from "./parse-escape.ts";
import type { PatternCursor } from "./pattern-cursor.ts";
import type { RegexNode } from "./regex-node.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** Parses a class after its opening bracket. */
export function parseClass(cursor: PatternCursor): RegexNode {
  const isNegated = cursor.skip("^");
  const members: SetMember[] = [];
  // At the start a bracket is literal, and begins no range.
  if (cursor.skip("]")) members.push(toSetMember("]"));
  while (!cursor.skip("]")) members.push(parseMember(cursor));
  if (members.length === 0) throw new UnsupportedRegex();
  return { kind: "set", source: toCharacterSet(members, isNegated) };
}

function parseMember(cursor: PatternCursor): SetMember {
  const posix = cursor.take(posixClass);
  if (posix !== undefined) return toPosixMember(posix);
  if (cursor.take(setOperation) !== undefined) throw new UnsupportedRegex();
  const first = parseItem(cursor);
  if (typeof first !== "string") {
    if (cursor.peek() === "-" && cursor.peek(1) !== "]") throw new UnsupportedRegex();
    return first;
  }
  if (cursor.peek() !== "-" || cursor.peek(1) === "]") return toSetMember(first);
  cursor.next();
  if (cursor.peek() === "-" || cursor.peek() === "[") throw new UnsupportedRegex();
  const last = parseItem(cursor);
  if (typeof last !== "string" || comparePoints(first, last) > 0) throw new UnsupportedRegex();
  return toRangeMember(first, last);
}

function parseItem(cursor: PatternCursor): SetMember | string {
  const character = cursor.next();
  if (character === "" || character === "\n" || character === "\0") throw new UnsupportedRegex();
  if (character !== "\\") return character;
  const escaped = parseEscape(cursor);
  return escaped.kind === "set" ? escaped.member : escaped.character;
}

function comparePoints(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}

function toPosixMember({ groups }: RegExpExecArray): SetMember {
  const inside = posixClasses[groups?.name ?? ""];
  if (inside === undefined) throw new UnsupportedRegex();
  const isNegated = groups?.negated === "^";
  return {
    source: `[${isNegated ? "^" : ""}${inside}]`,
    holdsBreak: isNegated || breakClasses.has(groups?.name ?? ""),
  };
}

const posixClass = /\[:(?<negated>\^?)(?<name>[a-z]+):\]/uy;

// A bracket would open a nested class.
const setOperation = /&&|--|~~|\[/uy;

const posixClasses: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: String.raw`\u{0}-\u{7f}`,
  blank: String.raw`\t\u{20}`,
  cntrl: String.raw`\u{0}-\u{1f}\u{7f}`,
  digit: "0-9",
  graph: String.raw`\u{21}-\u{7e}`,
  lower: "a-z",
  print: String.raw`\u{20}-\u{7e}`,
  punct: String.raw`\u{21}-\u{2f}\u{3a}-\u{40}\u{5b}-\u{60}\u{7b}-\u{7e}`,
  space: String.raw`\t-\r\u{20}`,
  upper: "A-Z",
  word: String.raw`0-9A-Za-z\u{5f}`,
  xdigit: "0-9A-Fa-f",
};

const breakClasses = new Set(["ascii", "cntrl", "space"]);
