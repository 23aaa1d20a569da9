// Both databases could tell words apart, each in its own way. We do it for both, so that a search
// finds the same on either.

// So much of a text can be searched, and so much of a word counts.
const maxCharacters = 65_536;
const maxWordCharacters = 500;

const ascii = /^[\0-\x7f]*$/;
const asciiWords = /[a-z0-9]+/g;
const longAsciiWord = new RegExp(`[A-Za-z0-9]{${maxWordCharacters + 1}}`);

// Letters, digits and marks make words. Scripts that put no space between words, and symbols such as
// emoji, are a word each. What stands for a broken character is none.
const words =
  /[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+|[[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{So}]--\ufffd]/gv;

/** The words of a text, in order, as they are compared: whatever their case. */
export function toWords(text: string): string[] {
  if (ascii.test(text)) {
    return cut(text.slice(0, maxCharacters).toLowerCase().match(asciiWords) ?? []);
  }
  const normal = text.slice(0, maxCharacters).normalize("NFKC").toLowerCase();
  return cut(normal.slice(0, maxCharacters).match(words) ?? []);
}

/**
 * A text with the same words, where they are told apart by anything in ASCII that is no letter or
 * digit, and ASCII letters have whatever case.
 */
export function toPlainText(text: string): string {
  // Most texts are such texts already.
  if (ascii.test(text)) {
    const kept = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
    if (kept.length <= maxWordCharacters || !longAsciiWord.test(kept)) return kept;
  }
  return toWords(text).join(" ");
}

/**
 * What a text says: where it is JSON, line breaks and other characters that are written as escapes
 * are not parts of words.
 */
export function unescapeJson(text: string): string {
  if (!text.includes("\\") || !/^\s*[[{"]/.test(text) || !isJson(text)) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_escape, code: string | undefined) =>
    code === undefined ? " " : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function cut(all: string[]): string[] {
  return all.every((word) => word.length <= maxWordCharacters)
    ? all
    : all.map((word) => word.slice(0, maxWordCharacters).replace(/[\ud800-\udbff]$/, ""));
}
