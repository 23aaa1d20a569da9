import { type RawBuilder, sql } from "kysely";

/** How many of a group took about as long. */
export interface DurationSlot {
  readonly slot: number;
  readonly count: number;
}

// Each is a third larger than the one before: how exact percentiles are.
const bounds = Array.from({ length: 48 }, (_, step) => Math.round(1.34 ** step));

/** The number of the slot of a duration, as an expression. */
export function slotOf(column: string): RawBuilder<number> {
  const cases = bounds.map(
    (bound, step) => sql`when ${sql.ref(column)} <= ${sql.lit(bound)} then ${sql.lit(step)}`,
  );
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(bounds.length)} end`;
}

/** How long a part of a group took at most; `max` if nothing is known of the group. */
export function findPercentile(slots: readonly DurationSlot[], part: number, max: number): number {
  const total = slots.reduce((sum, { count }) => sum + Number(count), 0);
  let left = Math.ceil(total * part);
  for (const { slot, count } of slots.toSorted((one, other) => one.slot - other.slot)) {
    left -= Number(count);
    if (left <= 0) return Math.min(max, bounds[slot] ?? max);
  }
  return max;
}
