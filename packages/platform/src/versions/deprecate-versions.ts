import type { Transaction } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { claimTool, type ToolChange } from "../tools/claim-tool.ts";
import { requireTool } from "../tools/require-tool.ts";
import { endCanary } from "./canary-rows.ts";
import { toConstraint } from "./constraint.ts";
import { findPrevious, type LatestMove, moveLatest } from "./latest.ts";
import { holdOperation } from "./operation-lock.ts";
import { readVersionHeads, type VersionHead } from "./read-version-heads.ts";
import { toText } from "./version-text.ts";

/** Which versions of which tool. */
export interface VersionChoice {
  readonly toolId: string;
  /** A version, `latest`, or a constraint. */
  readonly versions: string;
}

/**
 * Retires versions: they can be read, not run. Those that are retired already stay so. If `latest`
 * named one of them, it goes back to the version before. Throws a `Problem`: 404 if the constraint
 * names none, 409 while something else is done to the tool.
 */
export async function deprecateVersions(
  parts: Pick<PlatformParts, "store" | "audit" | "processId" | "now">,
  principal: Principal,
  { toolId, versions }: VersionChoice,
): Promise<void> {
  const { organization, userId } = principal;
  const { db } = parts.store;
  const constraint = toConstraint(versions, ["path", "versions"]);
  const tool = await requireTool(db, { organization, toolId });
  const choose = async (): Promise<readonly VersionHead[]> => {
    const chosen = constraint.select(await readVersionHeads(db, toolId));
    if (chosen.length === 0) throw noVersion(tool.name, versions);
    return chosen.filter(({ deprecated }) => deprecated === 0);
  };
  // A look beforehand: what can't be done is no operation.
  if ((await choose()).length === 0) return;
  const operation = { organization, toolId, userId, kind: "deprecate-version" } as const;
  await holdOperation(parts, operation, async () => {
    const active = await choose();
    if (active.length === 0) return;
    const change = { organization, toolId, userId, now: parts.now() };
    await db.transaction().execute(async (transaction) => {
      await claimTool(transaction, change);
      const ids = active.map(({ id }) => id);
      await transaction
        .updateTable("tool_versions")
        .set({ deprecated: 1, updated_at: change.now, updated_by_user_id: userId })
        .where("id", "in", ids)
        .execute();
      const latest = await leave(transaction, change, active);
      await parts.audit.record(transaction, principal, {
        action: "version.deprecate",
        target: toolId,
        detail: { versions: active.map(toText), latest },
      });
    });
  });
}

/** Moves `latest` away from versions that were just deprecated, and ends a canary of one of them. */
async function leave(
  db: Transaction<Tables>,
  change: ToolChange,
  left: readonly VersionHead[],
): Promise<LatestMove | undefined> {
  const { toolId, now } = change;
  const canary = await db
    .selectFrom("canaries")
    .select("version_id")
    .where("tool_id", "=", toolId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (left.some(({ id }) => id === canary?.version_id)) {
    await endCanary(db, toolId, { outcome: "deprecated", now });
  }
  const from = left.find(({ isLatest }) => isLatest);
  if (from === undefined) return undefined;
  const heads = await readVersionHeads(db, toolId);
  const to = (await findPrevious(db, toolId, { heads, current: from })) ?? heads.find(isNamed);
  return moveLatest(db, change, { from, to, reason: "deprecate" });
}

const isNamed = ({ isLatest }: VersionHead): boolean => isLatest;

function noVersion(tool: string, versions: string): Problem {
  return new Problem(
    404,
    `The tool ${JSON.stringify(tool)} has no version ${JSON.stringify(versions.trim())}. List its versions to see which there are.`,
  );
}
