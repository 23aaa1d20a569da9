import { findBlock } from "./find-block.ts";

/** Finds many blocks in the same lines: the first few by a linear search, the others by an index. */
export class BlockFinder {
  readonly #lines: readonly string[];
  #searches = 0;
  #index: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Returns every line at which the block starts. */
  find(block: readonly string[]): readonly number[] {
    if (++this.#searches <= searchesWithoutIndex) return findBlock(this.#lines, block);
    this.#index ??= toIndex(this.#lines);
    let rarest = 0;
    let places: readonly number[] | undefined;
    for (const [at, line] of block.entries()) {
      const found = this.#index.get(line) ?? [];
      if (places !== undefined && found.length >= places.length) continue;
      places = found;
      rarest = at;
    }
    if (places === undefined) return [];
    // If all lines are frequent, comparing at each of them would take longer than a search.
    if (places.length * block.length > this.#lines.length) return findBlock(this.#lines, block);
    const starts = places.map((place) => place - rarest);
    return starts.filter((at) => block.every((line, offset) => this.#lines[at + offset] === line));
  }
}

const searchesWithoutIndex = 4;

function toIndex(lines: readonly string[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const places = index.get(line);
    if (places === undefined) index.set(line, [at]);
    else places.push(at);
  }
  return index;
}
