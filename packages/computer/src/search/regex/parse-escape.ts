import { letterSets, type SetMember } from "./character-set.ts";
import type { PatternCursor } from "./pattern-cursor.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** The meaning of an escape, inside and outside classes. */
export type Escape =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "set"; readonly member: SetMember };

/** Parses what follows a backslash. The caller parses assertions. */
export function parseEscape(cursor: PatternCursor): Escape {
  const property = cursor.take(unicodeProperty);
  if (property !== undefined) return { kind: "set", member: toPropertyMember(property) };
  const code = cursor.take(codePoint);
  if (code !== undefined) return { kind: "character", character: toScalar(code) };
  const letter = cursor.next();
  const member = letterSets[letter];
  if (member !== undefined) return { kind: "set", member };
  const character = controls[letter] ?? (punctuation.test(letter) ? letter : undefined);
  if (character === undefined) throw new UnsupportedRegex();
  return { kind: "character", character };
}

const unicodeProperty = /(?<form>[pP])(?:(?<letter>[A-Z])|\{(?<name>[A-Za-z_=]+)\})/uy;

const codePoint =
  /(?:x(?<two>[\da-fA-F]{2})|u(?<four>[\da-fA-F]{4})|U(?<eight>[\da-fA-F]{8})|[xuU]\{(?<free>[\da-fA-F]{1,8})\})/uy;

const controls: Readonly<Record<string, string>> = {
  a: "\x07",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

// In Rust, `\<` and `\>` have a meaning of their own.
const punctuation = /^[ -/:;=?@[-`{-~]$/u;

function toPropertyMember({ groups }: RegExpExecArray): SetMember {
  const property = toUnicodeProperty(groups?.letter ?? groups?.name ?? "");
  if (property === undefined) throw new UnsupportedRegex();
  const isNegated = groups?.form === "P";
  // White space includes the line break, and so do negated sets of the others.
  const holdsBreak = isNegated || property.includes("White_Space");
  return { source: isNegated ? `[^${property}]` : property, holdsBreak };
}

function toScalar({ groups }: RegExpExecArray): string {
  const digits = groups?.two ?? groups?.four ?? groups?.eight ?? groups?.free ?? "";
  const value = Number.parseInt(digits, 16);
  const isScalar = value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
  if (!isScalar) throw new UnsupportedRegex();
  return String.fromCodePoint(value);
}

/** Writes a Unicode property for JavaScript, if both languages know it by this name and agree. */
function toUnicodeProperty(name: string): string | undefined {
  if (categories.has(name) || properties.has(name)) return `\\p{${name}}`;
  const script = /^(?:(?:Script|sc)=)?([A-Z][a-z]+)$/u.exec(name)?.[1];
  return script !== undefined && scripts.has(script) ? `\\p{Script=${script}}` : undefined;
}

// Without those that include surrogates or unassigned characters: there the two differ.
const categories = new Set(
  [
    "L Lu Ll Lt Lm Lo Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter",
    "M Mn Mc Me Mark N Nd Nl No Number Decimal_Number",
    "P Pc Pd Ps Pe Pi Pf Po Punctuation S Sm Sc Sk So Symbol Math_Symbol Currency_Symbol",
    "Z Zs Zl Zp Separator Space_Separator",
  ].flatMap((row) => row.split(" ")),
);

const properties = new Set(["Alphabetic", "Lowercase", "Uppercase", "White_Space"]);

const scripts = new Set(
  "Arabic Armenian Bengali Cyrillic Devanagari Georgian Greek Hangul Hebrew Hiragana Katakana Latin Thai".split(
    " ",
  ),
);
