import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";
import {
  asyncRequestContext,
  idempotentAnswerContext,
  inboxAnswerContext,
  scheduleInputContext,
  settingContext,
  stepResultContext,
  toolVariableContext,
  userVariableContext,
  webhookSecretContext,
} from "./sealed-context.ts";

/** A sealed value in the store. */
export interface SealedValue {
  readonly value: string;
  readonly context: readonly string[];
  /** Replaces the value, unless it has changed since it was read. Returns whether it was replaced. */
  replace(db: Kysely<Tables>, sealed: string): Promise<boolean>;
}

/** Reads one page of the values that are not sealed with the given key. */
export type SealedValueReader = (
  db: Kysely<Tables>,
  keyId: string,
  page: { readonly offset: number; readonly limit: number },
) => Promise<readonly SealedValue[]>;

type Row = Readonly<Record<string, string>>;

/** A column that holds sealed text. */
interface SealedColumn {
  readonly table: keyof Tables;
  readonly column: string;
  /** The columns that identify a row. Pages are in their order. */
  readonly key: readonly string[];
  /** Whether other rows of the column hold text that is not sealed. */
  readonly isMixed?: boolean;
  toContext(row: Row): readonly string[];
}

const columns: readonly SealedColumn[] = [
  {
    table: "tool_variables",
    column: "value",
    key: ["tool_id", "name", "org_id"],
    toContext: ({ org_id = "", tool_id = "", name = "" }) =>
      toolVariableContext(org_id, tool_id, name),
  },
  {
    table: "user_variables",
    column: "value",
    key: ["org_id", "user_id", "name"],
    toContext: ({ org_id = "", user_id = "", name = "" }) =>
      userVariableContext(org_id, user_id, name),
  },
  {
    table: "idempotent_answers",
    column: "body",
    key: ["org_id", "key"],
    toContext: ({ org_id = "", key = "" }) => idempotentAnswerContext(org_id, key),
  },
  {
    table: "async_invocations",
    column: "request",
    key: ["id", "org_id"],
    toContext: ({ org_id = "", id = "" }) => asyncRequestContext(org_id, id),
  },
  {
    table: "invocation_steps",
    column: "result",
    key: ["invocation_id", "position"],
    toContext: ({ invocation_id = "", position = "" }) =>
      stepResultContext(invocation_id, position),
  },
  {
    table: "inbox_items",
    column: "answer",
    key: ["id", "org_id"],
    toContext: ({ org_id = "", id = "" }) => inboxAnswerContext(org_id, id),
  },
  ...(["secret", "previous_secret"] as const).map(
    (column): SealedColumn => ({
      table: "webhooks",
      column,
      key: ["id", "org_id"],
      toContext: ({ org_id = "", id = "" }) => webhookSecretContext(org_id, id, column),
    }),
  ),
  {
    table: "schedules",
    column: "input",
    key: ["id", "org_id"],
    toContext: ({ org_id = "", id = "" }) => scheduleInputContext(org_id, id),
  },
  // Last: a key that opens the settings opens everything before them.
  {
    table: "settings",
    column: "value",
    key: ["name"],
    isMixed: true,
    toContext: ({ name = "" }) => settingContext(name),
  },
];

/** Readers of everything in the store that is sealed. */
export const sealedValueReaders: readonly SealedValueReader[] = columns.map(createReader);

// `v1.{key id of 16 digits}.{bytes}`. An underscore stands for any one character.
const anySealed = `v1.${"_".repeat(16)}.%`;

function createReader({
  table,
  column,
  key,
  isMixed = false,
  toContext,
}: SealedColumn): SealedValueReader {
  return async (db, keyId, { offset, limit }) => {
    let query = untyped(db)
      .selectFrom(table)
      .select([...key, column])
      .where(column, "not like", `v1.${keyId}.%`)
      // A variable that was deleted, or an answer that is not ready, is empty.
      .where(column, "<>", "");
    if (isMixed) query = query.where(column, "like", anySealed);
    for (const name of key) query = query.orderBy(name);
    const rows = await query.offset(offset).limit(limit).execute();
    return rows.map((row) => ({
      value: row[column] as string,
      context: toContext(row),
      replace: async (to, sealed) => {
        let update = untyped(to)
          .updateTable(table)
          .set({ [column]: sealed });
        for (const name of [...key, column]) update = update.where(name, "=", row[name] as string);
        const { numUpdatedRows } = await update.executeTakeFirst();
        return numUpdatedRows > 0n;
      },
    }));
  };
}

/** The tables of all columns have only text in the columns that are used here. */
function untyped(db: Kysely<Tables>): Kysely<Record<string, Record<string, string>>> {
  return db as unknown as Kysely<Record<string, Record<string, string>>>;
}
