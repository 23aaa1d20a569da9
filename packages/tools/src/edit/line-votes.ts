import { LineFilter } from "./line-filter.ts";

/** What lines of a file say about where a text may have been meant to be. */
export class LineVotes {
  readonly #file: string;
  readonly #wanted: readonly string[];
  /** Where each line begins, and where one after the last would. */
  #starts: Uint32Array;
  lineCount = 0;
  /** By the line where the text would begin, counted from as many before the file as it has. */
  readonly #votes: Uint32Array;

  constructor(file: string, wanted: readonly string[]) {
    this.#file = file;
    this.#wanted = wanted;
    this.#starts = new Uint32Array(Math.max(64, file.length >> 4));
    this.#findStarts();
    this.#votes = new Uint32Array(this.lineCount + wanted.length);
    this.#voteByLines();
    const all = wanted.reduce((sum, line) => sum + Math.min(line.trim().length, mostWeight), 0);
    if (this.most() < all * enoughOfLines) this.#voteByWords();
  }

  /** The votes for the place that has most. */
  most(): number {
    let most = 0;
    for (let place = 0; place < this.#votes.length; place++) {
      const count = this.#votes[place] as number;
      if (count > most) most = count;
    }
    return most;
  }

  /** The places that have so many votes. */
  atLeast(least: number): { place: number; count: number }[] {
    const places: { place: number; count: number }[] = [];
    for (let place = 0; place < this.#votes.length; place++) {
      const count = this.#votes[place] as number;
      if (count >= least) places.push({ place: place - this.#wanted.length, count });
    }
    return places;
  }

  /** Lines of the file, without their endings. */
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
    this.lineCount = count;
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
        this.#vote(line - at, Math.min(end - start, mostWeight));
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
    const longest = [...words].sort(([one], [other]) => other.length - one.length);
    for (const [word, position] of longest.slice(0, mostWords)) {
      const places = new Set<number>();
      let at = this.#file.indexOf(word);
      for (let hits = 0; at !== -1 && hits < mostHitsOfWord; hits++) {
        places.add(this.#lineOf(at) - position);
        at = this.#file.indexOf(word, at + word.length);
      }
      // The rarer a word, the more it says.
      const weight = Math.ceil((word.length * mostHitsOfWord) / places.size ** 2);
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
// A long line says more about the place than a short one.
const mostWeight = 40;
const mostWords = 12;
const mostHitsOfWord = 60;
