/** A file name in a diff header. `path` is `undefined` for `/dev/null`. */
export interface HeaderName {
  readonly path: string | undefined;
  /** Its time is the epoch, which plain `diff -N` writes for a missing file. */
  readonly isEpoch: boolean;
}

/** The old and new name of a file. */
export interface NamePair {
  readonly old: string;
  readonly new: string;
}

/** Parses the text after `--- ` or `+++ `: a name, possibly quoted, possibly with a time. */
export function parseHeaderName(rest: string): HeaderName {
  if (rest.startsWith('"')) return { path: toPath(unquote(rest).name), isEpoch: false };
  const [, name = rest, afterTab, afterSpace] = nameAndTime.exec(rest) ?? [];
  const time = toDate(afterTab ?? afterSpace ?? "");
  return { path: toPath(name.trimEnd()), isEpoch: Date.parse(time) === 0 };
}

/** Parses a name without a prefix, as in `rename from name`. */
export function parsePlainName(rest: string): string {
  return rest.startsWith('"') ? unquote(rest).name : rest.replace(/\r$/u, "");
}

/** Parses the names of `diff --git a/old b/new`. Returns `undefined` if they can't be separated. */
export function parseGitNames(rest: string): NamePair | undefined {
  const pair = splitGitNames(rest.trimEnd());
  return pair && stripPrefixes(pair);
}

/** Removes `a/` and `b/`, or the letters that git uses for other sides, from a pair of names. */
export function stripPrefixes(pair: NamePair): NamePair {
  const [old, renamed] = [pair.old.slice(2), pair.new.slice(2)];
  const prefixes = pair.old.slice(0, 2) + pair.new.slice(0, 2);
  if (prefixes === "a/b/" || (old === renamed && otherPrefixes.has(prefixes))) {
    return { old, new: renamed };
  }
  return pair;
}

const nameAndTime = /^(.*?)(?:\t(.*)|\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*))?$/u;
const otherPrefixes = new Set(["b/a/", "i/w/", "c/i/", "c/w/", "o/w/", "w/i/", "i/c/", "w/c/"]);

function toPath(name: string): string | undefined {
  return name === "/dev/null" ? undefined : name;
}

// Not every Date parses "1970-01-01 01:00:00.000000000 +0100".
function toDate(time: string): string {
  return time.trim().replace(/^(\S+) (\d\d:\d\d:\d\d)(?:\.0+)? ([+-]\d\d)(\d\d)$/u, "$1T$2$3:$4");
}

function splitGitNames(rest: string): NamePair | undefined {
  if (rest.startsWith('"')) {
    const first = unquote(rest);
    const second = rest.slice(first.length + 1);
    return { old: first.name, new: parsePlainName(second) };
  }
  const quote = rest.indexOf(' "');
  if (quote !== -1 && rest.endsWith('"')) {
    return { old: rest.slice(0, quote), new: unquote(rest.slice(quote + 1)).name };
  }
  // Either both are equal except for the prefix, or other headers have the names.
  const middle = (rest.length - 1) / 2;
  if (rest[middle] !== " ") return undefined;
  const pair = { old: rest.slice(0, middle), new: rest.slice(middle + 1) };
  const stripped = stripPrefixes(pair);
  return stripped.old === stripped.new ? pair : undefined;
}

/** Parses a quoted name with C escapes; byte escapes are UTF-8. */
function unquote(text: string): { name: string; length: number } {
  const bytes: number[] = [];
  let at = 1;
  while (at < text.length && text[at] !== '"') {
    const [escaped, octal, letter] = /^\\(?:([0-7]{1,3})|(.))/u.exec(text.slice(at, at + 5)) ?? [];
    if (escaped === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      bytes.push(...encoder.encode(character));
      at += character.length;
      continue;
    }
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(escapes.get(letter ?? "") ?? letter));
    at += escaped.length;
  }
  return { name: new TextDecoder().decode(Uint8Array.from(bytes)), length: at + 1 };
}

const encoder = new TextEncoder();
const escapes: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);
