import type { Insertable, Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { toolVariableContext } from "../secrets/sealed-context.ts";
import type { Tables, ToolVariableRow } from "../store/schema.ts";
import { checkAgainst, checkChanges, checkUnused, type KnownVariable } from "./check-variables.ts";
import { claimTool } from "./claim-tool.ts";
import { requireLiveTool } from "./require-tool.ts";
import type { FilledVariableChanges } from "./tool-schemas.ts";

type Parts = Pick<PlatformParts, "store" | "settings" | "secrets" | "audit" | "now">;

/**
 * Inserts, updates and deletes variables of a tool. Throws a `Problem`: 409 for a name that is taken
 * or was deleted a moment ago, 400 for one that is unknown or still needed.
 */
export async function changeVariables(
  parts: Parts,
  principal: Principal,
  { toolId, ...request }: FilledVariableChanges & { readonly toolId: string },
): Promise<void> {
  const { store, audit } = parts;
  const { organization, userId } = principal;
  const changes = trimNames(request);
  const names = changes.deletes.map(({ name }) => name);
  checkChanges(changes);
  await requireLiveTool(store.db, { organization, toolId });
  const values = sealValues(parts, { organization, toolId }, changes);
  if (values.length + names.length === 0) return;
  const now = parts.now();
  await store.db.transaction().execute(async (transaction) => {
    await claimTool(transaction, { organization, toolId, userId, now });
    const known = await readVariables(transaction, toolId);
    checkAgainst(known, changes, { now, recentMs: parts.settings.deletedVariableMs });
    await checkUnused(transaction, toolId, names);
    const rows = values.map(({ name, value, is_secret }) => ({
      tool_id: toolId,
      org_id: organization,
      name,
      value,
      is_secret: is_secret ?? known.get(name)?.is_secret ?? 0,
      updated_at: now,
      deleted_at: null,
    }));
    await write(transaction, rows);
    if (names.length > 0) {
      await transaction
        .updateTable("tool_variables")
        .set({ value: "", updated_at: now, deleted_at: now })
        .where("tool_id", "=", toolId)
        .where("name", "in", names)
        .execute();
    }
    await audit.record(transaction, principal, {
      action: "tool.variables",
      target: toolId,
      detail: {
        inserted: changes.inserts.map(({ name }) => name),
        updated: changes.updates.map(({ name }) => name),
        deleted: names,
      },
    });
  });
  store.touch();
}

function trimNames({ inserts, updates, deletes }: FilledVariableChanges): FilledVariableChanges {
  const trim = <Change extends { readonly name: string }>(change: Change): Change => ({
    ...change,
    name: change.name.trim(),
  });
  return { inserts: inserts.map(trim), updates: updates.map(trim), deletes: deletes.map(trim) };
}

type SealedValue = Pick<ToolVariableRow, "name" | "value"> &
  Partial<Pick<ToolVariableRow, "is_secret">>;

/** Before the transaction: that holds others up. Whether it is secret only an insert says. */
function sealValues(
  { secrets }: Parts,
  { organization, toolId }: { readonly organization: string; readonly toolId: string },
  { inserts, updates }: FilledVariableChanges,
): readonly SealedValue[] {
  const seal = (name: string, value: string): string =>
    secrets.seal(value, toolVariableContext(organization, toolId, name));
  return [
    ...inserts.map(({ name, value, is_secret }) => ({
      name,
      value: seal(name, value),
      is_secret: is_secret ? (1 as const) : (0 as const),
    })),
    ...updates.map(({ name, value }) => ({ name, value: seal(name, value) })),
  ];
}

async function readVariables(
  db: Kysely<Tables>,
  toolId: string,
): Promise<ReadonlyMap<string, KnownVariable>> {
  const rows = await db
    .selectFrom("tool_variables")
    .select(["name", "is_secret", "deleted_at"])
    .where("tool_id", "=", toolId)
    .execute();
  return new Map(rows.map(({ name, ...row }) => [name, row]));
}

async function write(
  db: Kysely<Tables>,
  rows: readonly Insertable<ToolVariableRow>[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto("tool_variables")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["tool_id", "name"]).doUpdateSet((row) => ({
        value: row.ref("excluded.value"),
        is_secret: row.ref("excluded.is_secret"),
        updated_at: row.ref("excluded.updated_at"),
        deleted_at: null,
      })),
    )
    .execute();
}
