/** Lines that are equal, or that replace each other. */
export interface LineRun {
  readonly isSame: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Compares the lines of a small part of a text. If it is too large, everything between the common
 * start and end counts as replaced.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineRun[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const runs = [
    same(before.slice(0, head)),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    same(before.slice(before.length - tail)),
  ];
  return runs.filter((run) => run.before.length > 0 || run.after.length > 0);
}

// A table of this many cells takes about a millisecond.
const maxCells = 250_000;

function diffMiddle(before: readonly string[], after: readonly string[]): LineRun[] {
  if (before.length * after.length > maxCells) return [{ isSame: false, before, after }];
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const runs: LineRun[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const [fromRow, fromColumn] = [row, column];
    while (row < before.length && before[row] === after[column]) {
      row++;
      column++;
    }
    if (row > fromRow) {
      runs.push(same(before.slice(fromRow, row)));
      continue;
    }
    while (row < before.length || column < after.length) {
      if (row < before.length && before[row] === after[column]) break;
      const down = lengths[(row + 1) * width + column] as number;
      const right = lengths[row * width + column + 1] as number;
      if (column === after.length || (row < before.length && down >= right)) row++;
      else column++;
    }
    const replaced = { before: before.slice(fromRow, row), after: after.slice(fromColumn, column) };
    runs.push({ isSame: false, ...replaced });
  }
  return runs;
}

/** Returns for every pair of positions the length of the longest common subsequence after it. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  return lengths;
}

function same(lines: readonly string[]): LineRun {
  return { isSame: true, before: lines, after: lines };
}
