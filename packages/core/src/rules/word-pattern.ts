import type { ReadWord } from "../commands/command-reading.ts";

/** The pattern of one word. */
export interface WordTest {
  readonly isLiteral: boolean;
  /** It has a star after the start of a path: `src/*`. */
  readonly isPath: boolean;
  fits(word: ReadWord): boolean;
  /**
   * Tells whether the pattern also matches where a word that it fits leads, if the word is a path. A
   * word that is spelled out, and `*` by itself, match wherever they lead.
   */
  fitsLanding(word: ReadWord, cwd: string | undefined, links: LinkView): boolean;
}

/** Finds where paths lead. */
export interface LinkView {
  /** Returns an absolute path after following links. */
  identify(path: string): string;
}

/** Compiles the pattern of one word, in which `*` stands for any characters. */
export function compileWord(pattern: string): WordTest {
  const segments = splitAtStars(pattern);
  const [head = "", ...rest] = segments;
  if (rest.length === 0) {
    return {
      isLiteral: true,
      isPath: false,
      fits: (word) => word === head,
      fitsLanding: () => true,
    };
  }
  const isAnything = segments.every((segment) => segment === "");
  const cuts = findCuts(head);
  return {
    isLiteral: false,
    isPath: head.includes("/"),
    fits: (word) => word !== undefined && fitsSegments(word, segments),
    fitsLanding: (word, cwd, links) => {
      if (isAnything) return true;
      if (word === undefined || cwd === undefined || climbs(word, head)) return false;
      return cuts.every((cut) =>
        fitsPath(word.slice(cut), [head.slice(cut), ...rest], { cwd, links }),
      );
    },
  };
}

function splitAtStars(pattern: string): string[] {
  const segments = [""];
  for (const [token] of pattern.matchAll(/\\.|./gsu)) {
    if (token === "*") segments.push("");
    else segments.push(`${segments.pop()}${token.replace(/^\\(?=.)/su, "")}`);
  }
  return segments;
}

// The segments must occur in order; the first and last are at the ends.
function fitsSegments(word: string, segments: readonly string[]): boolean {
  const first = segments[0] as string;
  const last = segments.at(-1) as string;
  if (!word.startsWith(first) || word.length < first.length + last.length) return false;
  if (!word.endsWith(last)) return false;
  let at = first.length;
  for (const segment of segments.slice(1, -1)) {
    const found = word.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return at <= word.length - last.length;
}

// Where a path may start in a word: at its start, and after what precedes a value, as in `--file=src/*`
// or `-Isrc/*`.
function findCuts(head: string): readonly number[] {
  const values = [...head.matchAll(/[=:@,]/gu)].map(({ index }) => index + 1);
  return [0, ...values, ...(/^-[^-]/u.test(head) ? [2] : [])];
}

// A parent directory is covered only where the pattern spells it out.
function climbs(word: string, head: string): boolean {
  return [...word.matchAll(parent)].some(({ index, 0: text }) => index + text.length > head.length);
}

// Programs that take addresses decode the dots.
const parent = /(?:^|[/\\=:@,]|^-[^-])(?:\.|%2e){2}(?=$|[/\\?#])/giu;

// Compares where the path leads with where the spelled-out directory of the pattern leads.
function fitsPath(
  path: string,
  [head = "", ...rest]: readonly string[],
  { cwd, links }: { readonly cwd: string; readonly links: LinkView },
): boolean {
  if (path.includes("\0")) return false;
  const follow = (part: string): string => {
    const whole = part.startsWith("/") ? part : `${cwd}/${part}`;
    return links.identify(whole.replace(/\/+$/u, "") || "/");
  };
  const name = head.lastIndexOf("/") + 1;
  const base = follow(head.slice(0, name));
  const landing = follow(path);
  const start = `${base === "/" ? "" : base}/${head.slice(name)}`;
  return fitsSegments(path.endsWith("/") ? `${landing}/` : landing, [start, ...rest]);
}
