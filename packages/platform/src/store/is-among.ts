import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Store } from "./store.ts";

/** Returns the condition that a column has one of these values, however many they are: it takes one parameter. */
export function isAmong(
  { kind }: Pick<Store, "kind">,
  column: string,
  values: ReadonlySet<string | number>,
): RawBuilder<SqlBool> {
  const list = [...values];
  return kind === "sqlite"
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(list)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${list})`;
}
