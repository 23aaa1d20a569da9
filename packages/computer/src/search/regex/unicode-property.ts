/** Writes a Unicode property for JavaScript, if both languages know it by this name and agree. */
export function toUnicodeProperty(name: string): string | undefined {
  if (categories.has(name) || properties.has(name)) return `\\p{${name}}`;
  const script = /^(?:(?:Script|sc)=)?([A-Z][a-z]+)$/u.exec(name)?.[1];
  return script !== undefined && scripts.has(script) ? `\\p{Script=${script}}` : undefined;
}

// Without those that hold surrogates or what is not assigned: there the two differ.
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
