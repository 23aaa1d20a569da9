/** Makes of a line's indentation what it would be in the file. */
export type IndentationShift = (indentation: string) => string;

/**
 * How the indentation of some lines became that of others, if it did so the same way for all:
 * another beginning, or a tab for so many spaces, or the reverse.
 */
export function findShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  return findCommonShift(from, to) ?? findUnitShift(from, to);
}

/** The space that a line begins with. */
export function indentationOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function findCommonShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  let [before, after] = [commonStart(from), commonStart(to)];
  const isSame = from.every(
    (each, at) => each.slice(before.length) === (to[at] as string).slice(after.length),
  );
  if (!isSame) return undefined;
  const convert = findConversion(before, after);
  // What both end with is no part of the difference.
  while (before !== "" && before.at(-1) === after.at(-1)) {
    before = before.slice(0, -1);
    after = after.slice(0, -1);
  }
  return (indentation) => {
    if (indentation.startsWith(before)) {
      return after + convert(indentation.slice(before.length));
    }
    // Less than there was to replace: as much of the other as it is of the one.
    return after.slice(0, Math.floor((after.length * indentation.length) / before.length));
  };
}

/** Deeper lines go on in the style of the file, if so many spaces clearly were a tab. */
function findConversion(before: string, after: string): IndentationShift {
  if (isAll(before, " ") && isAll(after, "\t") && before.length % after.length === 0) {
    const unit = before.length / after.length;
    return (rest) =>
      isAll(rest, " ")
        ? "\t".repeat(Math.floor(rest.length / unit)) + " ".repeat(rest.length % unit)
        : rest;
  }
  if (isAll(before, "\t") && isAll(after, " ") && after.length % before.length === 0) {
    const unit = after.length / before.length;
    return (rest) => (isAll(rest, "\t") ? " ".repeat(unit * rest.length) : rest);
  }
  return (rest) => rest;
}

function findUnitShift(
  from: readonly string[],
  to: readonly string[],
): IndentationShift | undefined {
  if (from.every(isSpaces) && to.every(isTabs)) {
    const line = findLine(to, from);
    if (line === undefined) return undefined;
    return (indentation) => {
      if (!isSpaces(indentation)) return indentation;
      const spaces = Math.max(0, indentation.length - line.offset);
      return "\t".repeat(Math.floor(spaces / line.unit)) + " ".repeat(spaces % line.unit);
    };
  }
  if (from.every(isTabs) && to.every(isSpaces)) {
    const line = findLine(from, to);
    if (line === undefined) return undefined;
    return (indentation) => {
      if (!isTabs(indentation)) return indentation;
      return " ".repeat(Math.max(0, indentation.length * line.unit + line.offset));
    };
  }
  return undefined;
}

/** The unit and offset with which all spaces are `tabs * unit + offset`. */
function findLine(
  tabs: readonly string[],
  spaces: readonly string[],
): { unit: number; offset: number } | undefined {
  const [tabs0, spaces0] = [tabs[0]?.length ?? 0, spaces[0]?.length ?? 0];
  const other = tabs.findIndex((each) => each.length !== tabs0);
  if (other === -1) return undefined;
  const tabs1 = tabs[other]?.length ?? 0;
  const unit = ((spaces[other]?.length ?? 0) - spaces0) / (tabs1 - tabs0);
  const offset = spaces0 - unit * tabs0;
  const fits = tabs.every((each, at) => spaces[at]?.length === each.length * unit + offset);
  return fits && unit >= 1 && Number.isInteger(unit) && offset % unit === 0
    ? { unit, offset }
    : undefined;
}

function commonStart(texts: readonly string[]): string {
  let common = texts[0] ?? "";
  for (const text of texts) {
    while (!text.startsWith(common)) common = common.slice(0, -1);
  }
  return common;
}

function isAll(text: string, character: string): boolean {
  return text !== "" && text === character.repeat(text.length);
}

const isSpaces = (text: string): boolean => text === "" || isAll(text, " ");
const isTabs = (text: string): boolean => text === "" || isAll(text, "\t");
