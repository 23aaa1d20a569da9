/** Lines without the numbers that stood in front of them. */
export interface UnnumberedLines {
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** How the numbers stand in front of the lines. */
  readonly form: RegExp;
}

// As `read`, `cat -n` and other agents number lines. The space after the colon gets lost in blank lines.
const forms: readonly RegExp[] = [
  /^ *(\d{1,9}):(?: (.*))?$/u,
  /^ *(\d{1,9})\t(.*)$/u,
  /^ *(\d{1,9}) ?\|(?: (.*))?$/u,
  /^ *(\d{1,9})\u2192(.*)$/u,
];

/**
 * Removes line numbers from the lines of a text if all have them, counted one by one. An empty last
 * line stands for a line break.
 */
export function removeLineNumbers(lines: readonly string[]): UnnumberedLines | undefined {
  for (const form of forms) {
    const read = readNumbers(lines, form);
    const first = read?.numbers[0];
    if (first === undefined || read === undefined) continue;
    if (read.numbers.every((number, at) => number === first + at)) {
      return { first, lines: read.lines, form };
    }
  }
  return undefined;
}

/**
 * Removes line numbers from the new lines if the old ones had them in this form. They may count on or
 * repeat a number. `undefined` if only some lines have them.
 */
export function removeSameNumbers(
  lines: readonly string[],
  form: RegExp,
): readonly string[] | undefined {
  if (!lines.some((line) => form.test(line))) return lines;
  const read = readNumbers(lines, form);
  const isCounting = read?.numbers.every(
    (number, at) => at === 0 || number >= (read.numbers[at - 1] ?? 0),
  );
  return isCounting ? read?.lines : undefined;
}

function readNumbers(
  lines: readonly string[],
  form: RegExp,
): { numbers: number[]; lines: string[] } | undefined {
  const numbers: number[] = [];
  const contents: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === "" && at > 0 && at === lines.length - 1) {
      contents.push("");
      continue;
    }
    const [, number, content = ""] = form.exec(line) ?? [];
    if (number === undefined) return undefined;
    numbers.push(Number(number));
    contents.push(content);
  }
  return { numbers, lines: contents };
}
