import type { Kysely, Transaction } from "kysely";
import type { LatestMoveRow, Tables } from "../store/schema.ts";
import type { ToolChange } from "../tools/claim-tool.ts";
import { endCanary } from "./canary-rows.ts";
import { compareNumbers } from "./constraint.ts";
import { readVersionHeads, type VersionHead } from "./read-version-heads.ts";
import { toText } from "./version-text.ts";

/** A move of `latest`, as versions such as `1.2.3`. Null: to or from no version. */
export interface LatestMove {
  readonly from: string | null;
  readonly to: string | null;
}

/** Returns the version that `latest` names. */
export async function findLatest(
  db: Kysely<Tables>,
  toolId: string,
): Promise<VersionHead | undefined> {
  return (await readVersionHeads(db, toolId)).find(({ isLatest }) => isLatest);
}

/**
 * Lets `latest` name another version, notes the move and ends the tool's canary, which was compared
 * to the version before. Call it in a transaction that has claimed the tool.
 */
export async function moveLatest(
  db: Transaction<Tables>,
  { organization, toolId, userId, now }: ToolChange,
  move: {
    readonly from: VersionHead | undefined;
    readonly to: Pick<VersionHead, "id" | "major" | "minor" | "patch"> | undefined;
    readonly reason: LatestMoveRow["reason"];
  },
): Promise<LatestMove> {
  const [from, to] = [move.from, move.to].map((each) => (each === undefined ? null : toText(each)));
  const named = { from: from ?? null, to: to ?? null };
  await db
    .updateTable("tools")
    .set({ latest_version_id: move.to?.id ?? null })
    .where("id", "=", toolId)
    .execute();
  if (named.from === named.to) return named;
  await db
    .insertInto("latest_moves")
    .values({
      org_id: organization,
      tool_id: toolId,
      from_version: named.from,
      to_version: named.to,
      reason: move.reason,
      user_id: userId,
      created_at: now,
    })
    .execute();
  await endCanary(db, toolId, { outcome: "latest moved", now });
  return named;
}

const maxMoves = 1_000;

/**
 * Finds the version that `latest` named before the current one and that can still be run. Going
 * back twice leads two versions back. Without a history, it is the next lower version.
 */
export async function findPrevious(
  db: Kysely<Tables>,
  toolId: string,
  {
    heads,
    current,
  }: { readonly heads: readonly VersionHead[]; readonly current: VersionHead | undefined },
): Promise<VersionHead | undefined> {
  const moves = await db
    .selectFrom("latest_moves")
    .select(["from_version", "to_version", "reason"])
    .where("tool_id", "=", toolId)
    .orderBy("seq", "desc")
    .limit(maxMoves)
    .execute();
  const active = heads.filter(
    (each) => each.deprecated === 0 && each.candidate === 0 && each.id !== current?.id,
  );
  for (const text of listBefore(moves.toReversed()).toReversed()) {
    const found = active.find((each) => toText(each) === text);
    if (found !== undefined) return found;
  }
  return active
    .filter((each) => current === undefined || compareNumbers(each, current) < 0)
    .sort(compareNumbers)
    .at(-1);
}

/** Returns the versions that `latest` named before, the last one last, without those it left by going back. */
function listBefore(
  moves: readonly Pick<LatestMoveRow, "from_version" | "to_version" | "reason">[],
): readonly string[] {
  const before: string[] = [];
  for (const { from_version: from, to_version: to, reason } of moves) {
    if (reason === "rollback" || reason === "deprecate") {
      const at = to === null ? -1 : before.lastIndexOf(to);
      if (at !== -1) before.splice(at);
    } else if (from !== null) before.push(from);
  }
  return before;
}
