/** A member of a character class, in the syntax of JavaScript's `v` mode. */
export interface SetMember {
  readonly source: string;
  /** Whether it includes the line break or lone surrogates, which no line of text contains. */
  readonly holdsBreak: boolean;
}

/** The letter classes such as `\d`, by letter, with Rust's meaning. */
export const letterSets: Readonly<Record<string, SetMember>> = {
  d: { source: String.raw`\p{Nd}`, holdsBreak: false },
  D: { source: String.raw`[^\p{Nd}]`, holdsBreak: true },
  s: { source: String.raw`\p{White_Space}`, holdsBreak: true },
  S: { source: String.raw`[^\p{White_Space}]`, holdsBreak: true },
  w: {
    source: String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`,
    holdsBreak: false,
  },
  W: {
    source: String.raw`[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`,
    holdsBreak: true,
  },
};

/** Every character that a line can contain. */
export const anyCharacter: string = String.raw`[^\n\p{Cs}]`;

/** The class of all members, or of all other characters. */
export function toCharacterSet(members: readonly SetMember[], isNegated: boolean): string {
  const sources = members.map(({ source }) => source).join("");
  if (isNegated) return String.raw`[^${sources}\n\p{Cs}]`;
  if (!members.some(({ holdsBreak }) => holdsBreak)) return `[${sources}]`;
  return String.raw`[[${sources}]--[\n\p{Cs}]]`;
}

/** One character as a member. */
export function toSetMember(character: string): SetMember {
  return { source: escapeInSet(character), holdsBreak: character === "\n" };
}

/** All characters from one to another, both included. */
export function toRangeMember(first: string, last: string): SetMember {
  return {
    source: `${escapeInSet(first)}-${escapeInSet(last)}`,
    holdsBreak: (first <= "\n" && last >= "\n") || spansSurrogates(first, last),
  };
}

function spansSurrogates(first: string, last: string): boolean {
  return (first.codePointAt(0) ?? 0) < 0xd800 && (last.codePointAt(0) ?? 0) > 0xdfff;
}

function escapeInSet(character: string): string {
  if (/^[0-9A-Za-z]$/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
