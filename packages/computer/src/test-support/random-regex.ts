import fc from "fast-check";

const letters = [
  ..."aAbBkKsS_ 09.-(\t\r",
  ..."éÉßſσςΣ１漢𝒳",
  ...["\u212a", "\u0301", "\u2028", "\u00a0", "\ufeff", "\ufffd"],
];

/** A line of text, of few letters, so that patterns match it often. */
export const randomLine: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...letters),
  maxLength: 12,
});

/** Any text, to be sought as it is. */
export const randomText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...letters, ..."\\[]()*.?+{}^$|#&-~/"),
  maxLength: 4,
});

const choose = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split(" "));

const member = choose(
  String.raw`a b A-Z a-k é À-ÿ \d \W \s \S \pL \P{Lu} [:alpha:] [:^digit:] [:punct:] _ \- s \x00-\x7f σ 漢 𝒳 - ^ \t`,
);

const set = fc
  .tuple(fc.constantFrom("", "^"), fc.array(member, { minLength: 1, maxLength: 3 }))
  .map(([not, members]) => `[${not}${members.join("")}]`);

/** A pattern in Rust's syntax, nearly always a valid one. */
export const randomRegex: fc.Arbitrary<string> = fc.letrec<{ choice: string; part: string }>(
  (tie) => {
    const sequence = fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join(""));
    const group = fc
      .tuple(choose("( (?: (?P<n>"), tie("choice"))
      .map(([open, inner]) => `${open}${inner})`);
    const atom = fc.oneof(
      { maxDepth: 3 },
      choose(String.raw`a A b k S é ß σ 漢 𝒳 _ 0 \. \- \t \x41 \u{e9} \(`),
      choose(String.raw`. \d \D \w \W \s \S \b \B ^ $ \pL \PL \p{Lu} \P{Ll} \p{Greek}`),
      set,
      group,
    );
    const quantifier = fc.constantFrom("", "", "", ..."*+?", "{2}", "{1,3}", "{2,}", "*?", "+?");
    return {
      choice: fc.oneof(
        { maxDepth: 3 },
        sequence,
        fc.tuple(sequence, sequence).map((branches) => branches.join("|")),
      ),
      part: fc.tuple(atom, quantifier).map((pair) => pair.join("")),
    };
  },
).choice;
