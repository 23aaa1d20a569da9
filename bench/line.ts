import { type Contender, timeInTurns } from "./measure.ts";

/** What one line of the table found. */
export interface Finding {
  readonly line: string;
  /** What was measured, with its unit, for each contender. */
  readonly values: readonly { readonly name: string; readonly value: number }[];
  readonly unit: string;
  /** The figure that counts, usually a ratio. */
  readonly figure: number;
  /** What the figure is, in words. */
  readonly meaning: string;
  /** The most the figure may be. */
  readonly goal: number;
}

/** A line of the bench. */
export interface Line {
  readonly name: string;
  run(): Promise<Finding[]>;
}

/** A line that compares the time of one contender to that of another in the same run. */
export async function compareTimes(comparison: {
  readonly line: string;
  readonly contenders: readonly Contender[];
  readonly rounds: number;
  readonly subject: string;
  readonly reference: string;
  readonly goal: number;
}): Promise<Finding> {
  const timings = await timeInTurns(comparison.contenders, comparison.rounds);
  const of = (name: string): number =>
    timings.find((timing) => timing.name === name)?.medianMs ?? Number.NaN;
  return {
    line: comparison.line,
    values: timings.map(({ name, medianMs }) => ({ name, value: medianMs * 1000 })),
    unit: "µs",
    figure: of(comparison.subject) / of(comparison.reference),
    meaning: `${comparison.subject} ÷ ${comparison.reference}`,
    goal: comparison.goal,
  };
}
