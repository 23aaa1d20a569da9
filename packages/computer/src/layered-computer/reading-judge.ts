import type { ReadingJudgement } from "./messages.ts";

const maxAttempts = 3;

/**
 * Knows what a request may read. A search asks about every file that it finds, and a question for each
 * takes longer than the search. So a search runs as if it could read everything, then all questions are
 * asked at once, and it runs again with the answers. Only a run without open questions counts.
 */
export class ReadingJudge {
  readonly #ask: (paths: readonly string[]) => readonly ReadingJudgement[];
  readonly #known = new Map<string, ReadingJudgement>();
  #open: Set<string> | undefined;

  constructor(ask: (paths: readonly string[]) => readonly ReadingJudgement[]) {
    this.#ask = ask;
  }

  judge(path: string): ReadingJudgement {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#open !== undefined) {
      this.#open.add(path);
      return [true, false];
    }
    return this.#settle([path])[0] as ReadingJudgement;
  }

  /** Runs a search. It must change nothing. */
  async search<Found>(run: () => Promise<Found>): Promise<Found> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      this.#open = new Set();
      const [outcome] = await Promise.allSettled([run()]);
      const asked = [...this.#open];
      this.#open = undefined;
      if (asked.length === 0) {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      }
      this.#settle(asked);
    }
    return run();
  }

  #settle(paths: readonly string[]): readonly ReadingJudgement[] {
    const judgements = this.#ask(paths);
    for (const [index, path] of paths.entries()) {
      this.#known.set(path, judgements[index] as ReadingJudgement);
    }
    return judgements;
  }
}
