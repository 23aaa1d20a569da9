/**
 * Returns every line at which the block starts, even if lines repeat. Each line is compared a bounded
 * number of times (Knuth-Morris-Pratt), so no input takes long.
 */
export function findBlock(lines: readonly string[], block: readonly string[]): number[] {
  const places: number[] = [];
  if (block.length === 0) return places;
  const borders = findBorders(block);
  let matched = 0;
  for (let at = 0; at < lines.length; at++) {
    while (matched > 0 && lines[at] !== block[matched]) matched = borders[matched - 1] as number;
    if (lines[at] === block[matched]) matched++;
    if (matched < block.length) continue;
    places.push(at - block.length + 1);
    matched = borders[matched - 1] as number;
  }
  return places;
}

/** Returns for every prefix of the block the length of its longest border. */
function findBorders(block: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < block.length; at++) {
    while (length > 0 && block[at] !== block[length]) length = borders[length - 1] as number;
    if (block[at] === block[length]) length++;
    borders.push(length);
  }
  return borders;
}
