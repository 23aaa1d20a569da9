import { anyCharacter, letterSets, toCharacterSet } from "./character-set.ts";
import { joinNodes } from "./join-nodes.ts";
import { parseClass } from "./parse-class.ts";
import { parseEscape } from "./parse-escape.ts";
import { createPatternCursor, type PatternCursor } from "./pattern-cursor.ts";
import type { RegexNode } from "./regex-node.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** A parsed pattern. */
export interface ParsedRegex {
  readonly node: RegexNode;
  /** Whether it turns off case sensitivity itself. */
  readonly ignoresCase: boolean;
}

/**
 * Parses a pattern in Rust's syntax, as far as it can be expressed in JavaScript. Throws
 * `UnsupportedRegex` for everything else, valid or not.
 */
export function parseRegex(pattern: string): ParsedRegex {
  const cursor = createPatternCursor(pattern);
  const flags = cursor.take(leadingFlags)?.groups?.flags ?? "";
  const node = parseChoice({ cursor, names: new Set(), depth: 0 });
  if (cursor.peek() !== "") throw new UnsupportedRegex();
  return { node, ignoresCase: flags.includes("i") };
}

interface Parsing {
  readonly cursor: PatternCursor;
  /** Names of groups; a second use is an error. */
  readonly names: Set<string>;
  readonly depth: number;
}

// Lines are searched in `m` mode anyway, and a dot never sees a line break, even with `s`.
const leadingFlags = /\(\?(?<flags>(?!\w*(\w)\w*\2)[ims]+)\)/uy;
const deepest = 50;
const maxRepeats = 200;

function parseChoice(parsing: Parsing): RegexNode {
  const branches = [parseSequence(parsing)];
  while (parsing.cursor.skip("|")) branches.push(parseSequence(parsing));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: "choice", branches };
}

function parseSequence(parsing: Parsing): RegexNode {
  const { cursor } = parsing;
  const parts: RegexNode[] = [];
  while (cursor.peek() !== "" && cursor.peek() !== "|" && cursor.peek() !== ")") {
    parts.push(parseRepeat(parseAtom(parsing), cursor));
  }
  return joinNodes(parts);
}

function parseRepeat(part: RegexNode, cursor: PatternCursor): RegexNode {
  const match = cursor.take(quantifier);
  if (match === undefined) return part;
  // Repeated repetitions and assertions are rare, and easy to get wrong.
  if (cursor.take(quantifier) !== undefined || part.kind === "assertion") {
    throw new UnsupportedRegex();
  }
  const { sign, min, comma, max } = match.groups ?? {};
  const repeat = { kind: "repeat", part } as const;
  if (sign === "*") return { ...repeat, min: 0, max: Number.POSITIVE_INFINITY };
  if (sign === "+") return { ...repeat, min: 1, max: Number.POSITIVE_INFINITY };
  if (sign === "?") return { ...repeat, min: 0, max: 1 };
  const low = Number(min);
  const high = comma === undefined ? low : toHigh(max);
  const isHuge = low > maxRepeats || (high > maxRepeats && Number.isFinite(high));
  if (low > high || isHuge || high === 0) throw new UnsupportedRegex();
  return { ...repeat, min: low, max: high };
}

const quantifier = /(?:(?<sign>[*+?])|\{(?<min>\d{1,5})(?<comma>,(?<max>\d{1,5})?)?\})\??/uy;

function toHigh(max: string | undefined): number {
  return max === undefined ? Number.POSITIVE_INFINITY : Number(max);
}

function parseAtom(parsing: Parsing): RegexNode {
  const { cursor } = parsing;
  const character = cursor.next();
  switch (character) {
    case "(":
      return parseGroup(parsing);
    case "[":
      return parseClass(cursor);
    case ".":
      return { kind: "set", source: anyCharacter };
    case "^":
      return { kind: "assertion", source: String.raw`(?<![^\n])` };
    case "$":
      return { kind: "assertion", source: String.raw`(?![^\n])` };
    case "\\":
      return parseEscaped(cursor);
    case "*":
    case "+":
    case "?":
    case "{":
      throw new UnsupportedRegex();
    default:
      return toText(character);
  }
}

function parseGroup({ cursor, names, depth }: Parsing): RegexNode {
  if (depth === deepest) throw new UnsupportedRegex();
  if (cursor.skip("?")) {
    const group = cursor.take(groupStart);
    const name = group?.groups?.name;
    if (group === undefined || (name !== undefined && names.has(name))) {
      throw new UnsupportedRegex();
    }
    if (name !== undefined) names.add(name);
  }
  const inner = parseChoice({ cursor, names, depth: depth + 1 });
  if (!cursor.skip(")")) throw new UnsupportedRegex();
  return inner;
}

const groupStart = /:|P?<(?<name>[A-Za-z_]\w*)>/uy;

function parseEscaped(cursor: PatternCursor): RegexNode {
  const boundary = cursor.take(wordBoundary)?.[0];
  // Followed by braces, Rust reads other kinds of boundary.
  if (boundary !== undefined && cursor.peek() === "{") throw new UnsupportedRegex();
  if (boundary === "b") return wordEdge;
  if (boundary === "B") return noWordEdge;
  const escaped = parseEscape(cursor);
  if (escaped.kind === "character") return toText(escaped.character);
  return { kind: "set", source: toCharacterSet([escaped.member], false) };
}

const wordBoundary = /[bB]/uy;
const word = letterSets.w?.source ?? "";

const wordEdge: RegexNode = {
  kind: "assertion",
  source: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
};

const noWordEdge: RegexNode = {
  kind: "assertion",
  source: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
};

// ripgrep refuses a line break, and a NUL where files that contain one are skipped.
function toText(character: string): RegexNode {
  if (character === "\n" || character === "\0") throw new UnsupportedRegex();
  return { kind: "text", text: character };
}
