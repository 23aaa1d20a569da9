import { type ParsedPattern, parsePattern } from "./parse-pattern.ts";
import { type PatternProgram, toPrograms } from "./pattern-program.ts";
import { createThreads, type PatternInput } from "./pattern-threads.ts";

/** A regular expression whose time grows with the length of the text only, times its own size. */
export interface LinearPattern {
  /** Its size: a text takes at most this many steps for each of its characters. */
  readonly steps: number;
  /**
   * Whether a part of the text matches. `spend` is told how many steps were taken, now and then; what it
   * throws ends the search.
   */
  test(text: string, spend?: (steps: number) => void): boolean;
}

/**
 * Compiles an ECMAScript regular expression of foreign origin. Lookarounds and Unicode classes are
 * supported, references back to groups are not. Throws an `Error` that says why a pattern can't be used.
 *
 * @example
 * compilePattern("^(a+)+$").test(`${"a".repeat(100_000)}!`); // false, at once
 */
export function compilePattern(source: string): LinearPattern {
  const parsed = parsePattern(source);
  const { main, looks } = toPrograms(parsed.node);
  const search = createScan(main, parsed, false);
  const scans = looks.map((look) => createScan(look, parsed, look.isAhead));
  const programs = [main, ...looks];
  return {
    steps: programs.reduce((sum, { instructions }) => sum + instructions.length, 0),
    test(text, spend = () => {}) {
      spend(stepsToBegin);
      const tables: Uint8Array[] = [];
      for (const scan of scans) {
        spend(text.length + 1);
        const table = new Uint8Array(text.length + 1);
        scan({ text, tables, spend }, table);
        tables.push(table);
      }
      return search({ text, tables, spend });
    },
  };
}

type Scan = (input: PatternInput, table?: Uint8Array) => boolean;

const stepsToBegin = 10;
// Told often enough that nothing runs far past its limit, and seldom enough to cost nothing.
const stepsPerReport = 1_000;

/**
 * Runs all threads of a program side by side over a text, each instruction at most once per place.
 * Without a table it ends at the first match; with one it marks each place where a match ends.
 */
function createScan(
  program: PatternProgram,
  { isUnicode }: ParsedPattern,
  isBackwards: boolean,
): Scan {
  const { isAnchored } = program;
  const threads = createThreads(program);

  return (input, table) => {
    const { text, spend } = input;
    const last = isBackwards ? 0 : text.length;
    let place = isBackwards ? text.length : 0;
    let steps = threads.start(input, place);
    while (true) {
      if (threads.hasMatch) {
        if (table === undefined) break;
        table[place] = 1;
      }
      if (place === last || (isAnchored && threads.count === 0)) break;
      const code = isBackwards
        ? codeBefore(text, place, isUnicode)
        : codeAt(text, place, isUnicode);
      const width = code > 0xffff ? 2 : 1;
      place += isBackwards ? -width : width;
      steps += threads.advance(code, place, !isAnchored);
      if (steps > stepsPerReport) {
        spend(steps);
        steps = 0;
      }
    }
    spend(steps);
    return threads.hasMatch;
  };
}

function codeAt(text: string, at: number, isUnicode: boolean): number {
  return isUnicode ? (text.codePointAt(at) as number) : text.charCodeAt(at);
}

function codeBefore(text: string, at: number, isUnicode: boolean): number {
  const code = text.charCodeAt(at - 1);
  if (!isUnicode || code < 0xdc00 || code > 0xdfff || at < 2) return code;
  const pair = text.codePointAt(at - 2) as number;
  return pair > 0xffff ? pair : code;
}
