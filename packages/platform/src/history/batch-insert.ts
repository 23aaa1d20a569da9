import type { CompiledQuery, Kysely } from "kysely";

/** Rows for one table. */
export interface BatchTable<Row> {
  readonly table: string;
  readonly columns: readonly string[];
  /** Appends what stands in the columns, in their order. */
  addValues(row: Row, values: unknown[]): void;
  /** How many rows a statement can take; 64. A power of two. */
  readonly maxRows?: number;
}

/**
 * Makes what inserts rows, many with one statement. The number of rows of each is a power of two, so
 * that there are few statements, and each is compiled and prepared only once.
 */
export function createBatchInsert<Row>({
  table,
  columns,
  addValues,
  maxRows = 64,
}: BatchTable<Row>): (db: Kysely<never>, rows: readonly Row[]) => Promise<void> {
  const template = Object.fromEntries(columns.map((column) => [column, null]));
  const statements = new Map<number, CompiledQuery>();
  const find = (db: Kysely<never>, size: number): CompiledQuery => {
    const known = statements.get(size);
    if (known !== undefined) return known;
    const rows = Array.from({ length: size }, () => template);
    const made = (db as unknown as Kysely<Record<string, Record<string, unknown>>>)
      .insertInto(table)
      .values(rows)
      .compile();
    statements.set(size, made);
    return made;
  };
  return async (db, rows) => {
    let done = 0;
    while (done < rows.length) {
      const size = Math.min(maxRows, 2 ** (31 - Math.clz32(rows.length - done)));
      const parameters: unknown[] = [];
      for (let index = done; index < done + size; index++) {
        addValues(rows[index] as Row, parameters);
      }
      await db.executeQuery({ ...find(db, size), parameters });
      done += size;
    }
  };
}
