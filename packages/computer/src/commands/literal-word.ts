import type { ReadWord } from "@haft/core";

/**
 * Returns a word as the shell expands it: quotes and backslashes removed, a leading `~` replaced by the
 * home directory. `undefined` if the shell would expand the word in any other way.
 */
export function toLiteral(text: string, home: string | undefined): ReadWord {
  if (plain.test(text)) return text;
  if (text.startsWith("~")) {
    const path = homePath.exec(text)?.[1];
    if (path === undefined || home === undefined) return undefined;
    const rest = unquote(path);
    return rest === undefined ? undefined : `${home === "/" ? "" : home}${rest}` || "/";
  }
  // In words of this form, the shell also expands `~` further on.
  if (tildeInside.test(text)) return undefined;
  return bracketCommand.test(text) ? text : unquote(text);
}

const plain = /^[\w./:=@%+,^#-]+$/u;

const homePath = /^~($|\/.*$)/su;

const tildeInside = /^\w+\+?=.*~/su;

const bracketCommand = /^\[{1,2}$|^\]{1,2}$/u;

// Braces expand only around a comma or two dots. `HEAD@{1}` and `{}` are literal.
const brace = /[{}]/u;
const expandingBrace = /,|\.\./u;

function unquote(text: string): ReadWord {
  if (brace.test(text) && expandingBrace.test(text)) return unquoteWithBraces(text);
  return unquoteParts(text, ordinary);
}

// Quoted braces are harmless; the comma may be anywhere.
function unquoteWithBraces(text: string): ReadWord {
  return unquoteParts(text, ordinaryWithoutBraces);
}

const ordinary = /[^\\'"$`*?[\]()<>|&;\s!]+|!(?!\()/uy;
const ordinaryWithoutBraces = /[^\\'"$`*?[\]()<>|&;\s!{}]+|!(?!\()/uy;
const singleQuoted = /'([^']*)'/uy;
const doubleQuoted = /"((?:[^"\\$`]|\\.)*)"/suy;
const ansiQuoted = /\$'((?:[^'\\]|\\.)*)'/suy;

function unquoteParts(text: string, bare: RegExp): ReadWord {
  let value = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at];
    if (character === "\\") {
      if (at + 1 >= text.length) return undefined;
      if (text[at + 1] !== "\n") value += text[at + 1];
      at += 2;
      continue;
    }
    const part = partAt(
      text,
      at,
      character === "$" ? ansiQuoted : (quotes[character ?? ""] ?? bare),
    );
    if (part === undefined) return undefined;
    at += part[0].length;
    const inner = part[1] ?? part[0];
    if (character === '"') value += inner.replace(escapedInQuotes, "$1");
    else if (character === "$") {
      const decoded = decodeAnsi(inner);
      if (decoded === undefined) return undefined;
      value += decoded;
    } else value += inner;
  }
  return value;
}

const quotes: Readonly<Record<string, RegExp>> = { "'": singleQuoted, '"': doubleQuoted };

// Between double quotes a backslash is removed only before these; a newline goes with it.
const escapedInQuotes = /\\(?:([$`"\\])|\n)/gu;

function partAt(text: string, at: number, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

// Characters by number beyond ASCII are not worth the differences between shells.
function decodeAnsi(text: string): string | undefined {
  let isKnown = true;
  const decoded = text.replace(ansiEscape, (sequence) => {
    const character = decodeEscape(sequence);
    isKnown &&= character !== undefined;
    return character ?? "";
  });
  return isKnown ? decoded : undefined;
}

const ansiEscape = /\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)/gsu;

function decodeEscape(sequence: string): string | undefined {
  const isHexadecimal = /^\\x[0-9a-fA-F]/u.test(sequence);
  if (!isHexadecimal && !/^\\[0-7]/u.test(sequence)) return ansiCharacters[sequence.slice(1)];
  const code = Number.parseInt(sequence.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 8);
  return code > 0 && code <= 0x7f ? String.fromCharCode(code) : undefined;
}

const ansiCharacters: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
