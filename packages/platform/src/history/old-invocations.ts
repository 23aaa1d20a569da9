import type { ExpressionBuilder } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import type { RetentionRow, Tables } from "../store/schema.ts";
import { removeInvocations } from "./remove-invocations.ts";
import { everyTool } from "./retention.ts";
import type { SearchIndex } from "./search-index.ts";

type Parts = Pick<PlatformParts, "store" | "settings" | "now">;

const dayMs = 24 * 60 * 60 * 1000;
// Small, so that other queries do not wait long.
const batch = 200;
const pauseMs = 5;

/**
 * Deletes invocations that are older or more than the server's settings, their organization and their
 * tool allow, with their payloads and their entries in the search index.
 */
export async function forgetOldInvocations(parts: Parts, index: SearchIndex): Promise<void> {
  const { historyDays } = parts.settings;
  let hasForgotten = false;
  if (historyDays !== undefined) {
    hasForgotten = await forgetAll(parts, index, { before: parts.now() - historyDays * dayMs });
  }
  const rows = await parts.store.db.selectFrom("retention").selectAll().execute();
  for (const [organization, own] of Map.groupBy(rows, ({ org_id }) => org_id)) {
    const limits = { organization, rows: own };
    hasForgotten = (await forgetOfOrganization(parts, index, limits)) || hasForgotten;
  }
  const { compact } = index;
  if (!hasForgotten || compact === undefined) return;
  const { later } = parts.store;
  while (await later.transact(compact)) await takeTurn();
}

async function forgetOfOrganization(
  parts: Parts,
  index: SearchIndex,
  { organization, rows }: { readonly organization: string; readonly rows: readonly RetentionRow[] },
): Promise<boolean> {
  let hasForgotten = false;
  const tools = await parts.store.db
    .selectFrom("tools")
    .select("id")
    .where("org_id", "=", organization)
    .execute();
  const usual = rows.find(({ tool_id }) => tool_id === everyTool);
  for (const { id } of tools) {
    const limits = rows.find(({ tool_id }) => tool_id === id) ?? usual;
    if (limits === undefined) continue;
    const { days, count } = limits;
    const tool = { organization, toolId: id };
    const expired = {
      tool,
      ...(days !== null && { before: parts.now() - days * dayMs }),
      ...(count !== null && { upTo: await findLastBeyond(parts, tool, count) }),
    };
    hasForgotten = (await forgetAll(parts, index, expired)) || hasForgotten;
  }
  return hasForgotten;
}

/** The invocations to delete. */
interface Expired {
  /** Default: of all tools. */
  readonly tool?: ToolScope;
  /** Those that began before this moment. */
  readonly before?: number;
  /** Those up to this number of history. */
  readonly upTo?: number;
}

interface ToolScope {
  readonly organization: string;
  readonly toolId: string;
}

/** Finds the newest invocation of a tool that is beyond the number to keep; 0 if there is none. */
async function findLastBeyond(
  { store }: Parts,
  { organization, toolId }: ToolScope,
  count: number,
): Promise<number> {
  const row = await store.db
    .selectFrom("invocations")
    .select("seq")
    .where("org_id", "=", organization)
    .where("tool_id", "=", toolId)
    .orderBy("seq", "desc")
    .offset(count)
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Returns whether there were any. */
async function forgetAll(parts: Parts, index: SearchIndex, expired: Expired): Promise<boolean> {
  let forgotten = 0;
  for (let count = batch; count === batch; ) {
    count = await forgetSome(parts, index, expired);
    forgotten += count;
    await takeTurn();
  }
  return forgotten > 0;
}

/** Lets others use the thread and the database, for about as long as a step takes. */
async function takeTurn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

/** Returns how many it deleted. */
async function forgetSome(
  { store }: Parts,
  index: SearchIndex,
  { tool, before = 0, upTo = 0 }: Expired,
): Promise<number> {
  const isOfTool = ({ eb, and }: ExpressionBuilder<Tables, "invocations">) =>
    and([eb("org_id", "=", tool?.organization ?? ""), eb("tool_id", "=", tool?.toolId ?? "")]);
  // What a crash brings back is deleted again.
  return store.later.transact(async (db) => {
    // History is in the order in which invocations ended, which is nearly the order of their age.
    const oldest = await db
      .selectFrom("invocations")
      .select(["seq", "created_at"])
      .$if(tool !== undefined, (query) => query.where(isOfTool))
      .orderBy("seq")
      .limit(batch)
      .execute();
    const old = oldest.filter(({ created_at, seq }) => created_at < before || seq <= upTo);
    if (old.length === 0) return 0;
    await removeInvocations(
      db,
      { store, index },
      old.map(({ seq }) => seq),
    );
    return old.length;
  });
}
