import { LineFilter } from "./line-filter.ts";

/** Votes of the lines of a file for where a text may belong. */
export class LineVotes {
  readonly #file: string;
  readonly #wanted: readonly string[];
  /** The offset of each line, and of one after the last. */
  #starts: Uint32Array;
  lineCount = 0;
  /** Votes by the line where the text would begin, offset by the number of its lines. */
  readonly #votes: Uint32Array;

  constructor(file: string, wanted: readonly string[]) {
    this.#file = file;
    this.#wanted = wanted;
    this.#starts = new Uint32Array(Math.max(64, file.length >> 4));
    this.#findStarts();
    this.#votes = new Uint32Array(this.lineCount + wanted.length);
    this.#voteByLines();
    const all = wanted.reduce((sum, line) => sum + Math.min(line.trim().length, maxWeight), 0);
    if (this.highestCount() < all * enoughOfLines) this.#voteByWords();
  }

  /** Returns the highest number of votes. */
  highestCount(): number {
    let highest = 0;
    for (let place = 0; place < this.#votes.length; place++) {
      const count = this.#votes[place] as number;
      if (count > highest) highest = count;
    }
    return highest;
  }

  /** Returns the positions with at least this many votes. */
  atLeast(minCount: number): { place: number; count: number }[] {
    const places: { place: number; count: number }[] = [];
    for (let place = 0; place < this.#votes.length; place++) {
      const count = this.#votes[place] as number;
      if (count >= minCount) places.push({ place: place - this.#wanted.length, count });
    }
    return places;
  }

  /** Returns lines of the file without their endings. */
  cut(from: number, to: number): string[] {
    return Array.from({ length: to - from }, (_, at) => {
      const [start, end] = this.#bounds(from + at);
      const line = this.#file.slice(start, end);
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    });
  }

  #bounds(line: number): [start: number, end: number] {
    return [this.#starts[line] as number, (this.#starts[line + 1] as number) - 1];
  }

  #findStarts(): void {
    let count = 1;
    for (let at = this.#file.indexOf("\n"); at !== -1; at = this.#file.indexOf("\n", at + 1)) {
      if (count + 1 >= this.#starts.length) this.#grow();
      this.#starts[count++] = at + 1;
    }
    this.#starts[count] = this.#file.length + 1;
    // After the last line break there is no line.
    this.lineCount = count > 1 && this.#file.endsWith("\n") ? count - 1 : count;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#starts.length * 2);
    larger.set(this.#starts);
    this.#starts = larger;
  }

  #vote(place: number, weight: number): void {
    const at = place + this.#wanted.length;
    this.#votes[at] = (this.#votes[at] as number) + weight;
  }

  #voteByLines(): void {
    const filter = new LineFilter(this.#wanted);
    const file = this.#file;
    for (let line = 0; line < this.lineCount; line++) {
      let start = this.#starts[line] as number;
      let end = (this.#starts[line + 1] as number) - 1;
      while (start < end && file.charCodeAt(start) <= space) start++;
      while (end > start && file.charCodeAt(end - 1) <= space) end--;
      for (const at of filter.find(file, start, end)) {
        this.#vote(line - at, Math.min(end - start, maxWeight));
      }
    }
  }

  #voteByWords(): void {
    const words = new Map<string, number>();
    for (const [at, line] of this.#wanted.entries()) {
      for (const [word] of line.matchAll(/[\p{L}\p{N}_$]{3,}/gu)) {
        if (!words.has(word)) words.set(word, at);
      }
    }
    const longestFirst = [...words].sort(([one], [other]) => other.length - one.length);
    for (const [word, position] of longestFirst.slice(0, maxWords)) {
      const places = new Set<number>();
      let at = this.#file.indexOf(word);
      for (let hits = 0; at !== -1 && hits < maxHitsOfWord; hits++) {
        places.add(this.#lineOf(at) - position);
        at = this.#file.indexOf(word, at + word.length);
      }
      // Rare words count more.
      const weight = Math.ceil((word.length * maxHitsOfWord) / places.size ** 2);
      for (const place of places) this.#vote(place, weight);
    }
  }

  #lineOf(offset: number): number {
    let low = 0;
    let high = this.lineCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const space = 32;
const enoughOfLines = 0.3;
// Long lines count more than short ones.
const maxWeight = 40;
const maxWords = 12;
const maxHitsOfWord = 60;
