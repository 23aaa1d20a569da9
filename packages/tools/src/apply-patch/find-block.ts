/**
 * Every place where some lines stand in this order, however often they repeat: each line is
 * compared a bounded number of times (Knuth, Morris and Pratt), so no input takes long.
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

/** For every head of the block, how much of its beginning is also its end. */
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
