/** One way of doing the work that a line measures. */
export interface Contender {
  readonly name: string;
  /** Gets ready for the next run; not timed. */
  before?(): Promise<void> | void;
  /** Does the work once, or `repeats` times over. */
  run(): Promise<void> | void;
  /** How often one run does the work; times are divided by it. */
  readonly repeats?: number;
}

/** The median time of a contender, in milliseconds per piece of work. */
export interface Timing {
  readonly name: string;
  readonly medianMs: number;
}

/**
 * Times contenders in turns, so that whatever else the machine does hits them alike. The first
 * rounds warm up and do not count.
 */
export async function timeInTurns(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Timing[]> {
  const samples = new Map(contenders.map((contender) => [contender, [] as number[]]));
  const warmUp = Math.ceil(rounds / 3);
  for (let round = 0; round < warmUp + rounds; round++) {
    // Alternate the order: each contender inherits the caches of the one before it.
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      await contender.before?.();
      const start = performance.now();
      await contender.run();
      const elapsed = (performance.now() - start) / (contender.repeats ?? 1);
      if (round >= warmUp) samples.get(contender)?.push(elapsed);
    }
  }
  return Array.from(samples, ([{ name }, times]) => ({ name, medianMs: median(times) }));
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
