import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";
import { findKeyId } from "./create-secret-box.ts";
import {
  idempotentAnswerPlace,
  settingPlace,
  toolVariablePlace,
  userVariablePlace,
} from "./sealed-place.ts";

/** A sealed value somewhere in the store. */
export interface SealedValue {
  readonly value: string;
  readonly place: readonly string[];
  /** Puts another text in its place, unless somebody has changed it meanwhile. */
  replace(db: Kysely<Tables>, sealed: string): Promise<boolean>;
}

/** Reads some values that are not sealed with a key, the first of them left out as asked. */
export type SealedValueReader = (
  db: Kysely<Tables>,
  keyId: string,
  page: { readonly offset: number; readonly limit: number },
) => Promise<readonly SealedValue[]>;

/** Everything in the store that is sealed. Settings are last: who can open them can open the rest. */
export const sealedValueReaders: readonly SealedValueReader[] = [
  async (db, keyId, { offset, limit }) => {
    const rows = await db
      .selectFrom("tool_variables")
      .select(["org_id", "tool_id", "name", "value"])
      .where("value", "not like", `v1.${keyId}.%`)
      .where("value", "<>", "")
      .orderBy("tool_id")
      .orderBy("name")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(({ org_id, tool_id, name, value }) => ({
      value,
      place: toolVariablePlace(org_id, tool_id, name),
      replace: async (to, sealed) => {
        const { numUpdatedRows } = await to
          .updateTable("tool_variables")
          .set({ value: sealed })
          .where("tool_id", "=", tool_id)
          .where("name", "=", name)
          .where("value", "=", value)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      },
    }));
  },
  async (db, keyId, { offset, limit }) => {
    const rows = await db
      .selectFrom("user_variables")
      .select(["org_id", "user_id", "name", "value"])
      .where("value", "not like", `v1.${keyId}.%`)
      .orderBy("org_id")
      .orderBy("user_id")
      .orderBy("name")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(({ org_id, user_id, name, value }) => ({
      value,
      place: userVariablePlace(org_id, user_id, name),
      replace: async (to, sealed) => {
        const { numUpdatedRows } = await to
          .updateTable("user_variables")
          .set({ value: sealed })
          .where("org_id", "=", org_id)
          .where("user_id", "=", user_id)
          .where("name", "=", name)
          .where("value", "=", value)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      },
    }));
  },
  async (db, keyId, { offset, limit }) => {
    const rows = await db
      .selectFrom("idempotent_answers")
      .select(["org_id", "key", "body"])
      .where("body", "not like", `v1.${keyId}.%`)
      .where("body", "<>", "")
      .orderBy("org_id")
      .orderBy("key")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(({ org_id, key, body }) => ({
      value: body,
      place: idempotentAnswerPlace(org_id, key),
      replace: async (to, sealed) => {
        const { numUpdatedRows } = await to
          .updateTable("idempotent_answers")
          .set({ body: sealed })
          .where("org_id", "=", org_id)
          .where("key", "=", key)
          .where("body", "=", body)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      },
    }));
  },
  async (db, keyId, { offset, limit }) => {
    const rows = await db.selectFrom("settings").selectAll().orderBy("name").execute();
    // Most settings are not sealed.
    const stale = rows.filter(({ value }) => ![undefined, keyId].includes(findKeyId(value)));
    return stale.slice(offset, offset + limit).map(({ name, value }) => ({
      value,
      place: settingPlace(name),
      replace: async (to, sealed) => {
        const { numUpdatedRows } = await to
          .updateTable("settings")
          .set({ value: sealed })
          .where("name", "=", name)
          .where("value", "=", value)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      },
    }));
  },
];
