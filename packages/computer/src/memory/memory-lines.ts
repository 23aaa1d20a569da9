import { type TextQuery, ToolError } from "@haft/contract";
import { type ScannedLine, scanLines } from "../search/index-process/scan-lines.ts";
import { translateRegex } from "../search/regex/translate-regex.ts";
import { createTextHaystack } from "../search/text-haystack.ts";

/** Finds lines in a file, with their kinds. */
export interface LineFinder {
  find(content: Uint8Array, maxMatches: number): readonly FoundLine[];
}

/** A line that was found. */
export interface FoundLine extends ScannedLine {
  readonly text: string;
}

/** Prepares a search without ripgrep; refuses patterns that only ripgrep understands. */
export function createLineFinder({
  pattern,
  literal,
  caseSensitive,
  context = 0,
}: TextQuery): LineFinder {
  const translated = translateRegex(pattern, { literal, caseSensitive });
  if (translated === undefined) {
    throw new ToolError(
      "invalid-arguments",
      `The pattern ${JSON.stringify(pattern)} is not a regular expression, or needs ripgrep, which searches real disks only. Simplify it, or search for the literal text.`,
    );
  }
  return {
    find: (content, maxMatches) => {
      const text = decode(content);
      if (text === undefined) return [];
      if (hasLongLine(text, translated.maxLineLength)) throw tooLong(pattern);
      return scanLines(createTextHaystack(text, translated.regex), { context, maxMatches }).map(
        (line) => ({
          ...line,
          text: text.slice(line.start, line.end),
        }),
      );
    },
  };
}

function hasLongLine(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.split("\n").some((line) => line.length > maxLength);
}

function tooLong(pattern: string): ToolError {
  return new ToolError(
    "too-large",
    `The pattern ${JSON.stringify(pattern)} might take too long for a very long line. Leave out repetitions, or search for the literal text.`,
  );
}

/** The text that ripgrep would see; `undefined` if it would treat the file as binary. */
function decode(content: Uint8Array): string | undefined {
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : "utf-8";
  const text = new TextDecoder(encoding).decode(content);
  return text.includes("\0") ? undefined : text;
}
