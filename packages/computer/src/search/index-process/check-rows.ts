import type { StateTable } from "./state-table.ts";

/** Where threads that check a table coordinate; after it the last round of each helper. */
export const controlFields = { next: 0, count: 1, round: 2, helpers: 3 } as const;

/** Number of rows taken at once. */
const portion = 128;

/**
 * Checks the rows that are left, together with other threads. Relative paths are relative to the
 * process's working directory, in every thread.
 */
export function checkRows(
  table: StateTable,
  paths: readonly (string | undefined)[],
  control: Int32Array,
): void {
  const count = Atomics.load(control, controlFields.count);
  for (;;) {
    const start = Atomics.add(control, controlFields.next, portion);
    if (start >= count) return;
    const end = Math.min(start + portion, count);
    for (let index = start; index < end; index++) {
      const row = table.rows[index] as number;
      const path = paths[row];
      if (path === undefined || !table.isCurrent(row, path)) table.changed[row] = 1;
    }
  }
}
