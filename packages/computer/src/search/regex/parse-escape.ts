import { letterSets, type SetMember } from "./character-set.ts";
import type { PatternCursor } from "./pattern-cursor.ts";
import { toUnicodeProperty } from "./unicode-property.ts";
import { UnsupportedRegex } from "./unsupported-regex.ts";

/** What an escape stands for, in and outside classes. */
export type Escape =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "set"; readonly member: SetMember };

/** Reads what follows a backslash. Conditions on a place are read by the caller. */
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

// Rust gives < and > a meaning of their own after a backslash.
const punctuation = /^[ -/:;=?@[-`{-~]$/u;

function toPropertyMember({ groups }: RegExpExecArray): SetMember {
  const property = toUnicodeProperty(groups?.letter ?? groups?.name ?? "");
  if (property === undefined) throw new UnsupportedRegex();
  const isNegated = groups?.form === "P";
  // White space holds the line break, and so does what is not one of these.
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
