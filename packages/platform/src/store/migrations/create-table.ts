import type { CreateTableBuilder, Kysely } from "kysely";

type ColumnType = "text" | "integer" | "bigint";

/** Begins a table with columns that are never null, by their types. */
export function createTable<Name extends string>(
  db: Kysely<unknown>,
  name: Name,
  columns: Readonly<Record<ColumnType, readonly string[]>>,
): CreateTableBuilder<Name, string> {
  let builder = db.schema.createTable(name) as CreateTableBuilder<Name, string>;
  for (const [type, names] of Object.entries(columns)) {
    for (const each of names) {
      builder = builder.addColumn(each, type as ColumnType, (column) => column.notNull());
    }
  }
  return builder;
}

/** Creates an index on columns of a table. */
export async function createIndex(
  db: Kysely<unknown>,
  name: string,
  columns: string[],
): Promise<void> {
  await db.schema
    .createIndex(`${name}_by_${columns.join("_")}`)
    .on(name)
    .columns(columns)
    .execute();
}
