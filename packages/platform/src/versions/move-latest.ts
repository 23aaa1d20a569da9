import type { Transaction } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { claimTool, type ToolChange } from "../tools/claim-tool.ts";
import { requireTool } from "../tools/require-tool.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import { findPrevious, type LatestMove, moveLatest } from "./latest.ts";
import { readVersionHeads, type VersionHead } from "./read-version-heads.ts";
import { toNumber, toText } from "./version-text.ts";

type Parts = Pick<PlatformParts, "store" | "audit" | "now">;

/**
 * Lets `latest` name this version. A candidate becomes an ordinary version. Throws a `Problem`: 404
 * for an unknown version, 400 for a deprecated one.
 */
export async function promoteVersion(
  parts: Parts,
  principal: Principal,
  { toolId, version }: { readonly toolId: string; readonly version: string },
): Promise<LatestMove> {
  return changeLatest(
    parts,
    principal,
    { toolId, action: "latest.promote", type: "version.promoted" },
    async (db, change, heads) => {
      const tool = await requireTool(db, change);
      const chosen = requireActive(tool.name, heads, version);
      if (chosen.candidate === 1) {
        await db
          .updateTable("tool_versions")
          .set({ candidate: 0, updated_at: change.now, updated_by_user_id: change.userId })
          .where("id", "=", chosen.id)
          .execute();
      }
      const from = heads.find(({ isLatest }) => isLatest);
      return moveLatest(db, change, { from, to: chosen, reason: "promote" });
    },
  );
}

/** Lets `latest` name the version before the current one. Throws a `Problem` 400 if there is none. */
export async function rollBackLatest(
  parts: Parts,
  principal: Principal,
  toolId: string,
): Promise<LatestMove> {
  return changeLatest(
    parts,
    principal,
    { toolId, action: "latest.rollback", type: "version.rolled_back" },
    async (db, change, heads) => {
      const from = heads.find(({ isLatest }) => isLatest);
      const to = await findPrevious(db, toolId, { heads, current: from });
      if (from === undefined || to === undefined) {
        const { name } = await requireTool(db, change);
        throw new Problem(
          400,
          `The tool ${JSON.stringify(name)} has no version before ${from === undefined ? "its latest" : toText(from)} that can be run. Restore a deprecated version, or publish a new one.`,
        );
      }
      return moveLatest(db, change, { from, to, reason: "rollback" });
    },
  );
}

/** Finds a version by its exact number that can be run. Throws a `Problem`. */
export function requireActive(
  tool: string,
  heads: readonly VersionHead[],
  version: string,
): VersionHead {
  const named = `version ${JSON.stringify(version.trim())} of the tool ${JSON.stringify(tool)}`;
  if (toNumber(version.trim()) === undefined) {
    throw new Problem(400, `There is no ${named}. Give an exact version such as 1.2.3.`);
  }
  const found = heads.find((each) => toText(each) === version.trim());
  if (found === undefined) {
    throw new Problem(404, `There is no ${named}. List its versions to see which there are.`);
  }
  if (found.deprecated === 0) return found;
  throw new Problem(400, `The ${named} is deprecated. Restore it first.`);
}

type LatestWork = (
  db: Transaction<Tables>,
  change: ToolChange,
  heads: readonly VersionHead[],
) => Promise<LatestMove>;

/** Not an operation that others wait for: going back must be possible while something is published. */
async function changeLatest(
  { store, audit, now }: Parts,
  principal: Principal,
  ...[{ toolId, action, type }, work]: [
    what: {
      readonly toolId: string;
      readonly action: string;
      readonly type: "version.promoted" | "version.rolled_back";
    },
    work: LatestWork,
  ]
): Promise<LatestMove> {
  const { organization, userId } = principal;
  const change = { organization, toolId, userId, now: now() };
  const moved = await store.db.transaction().execute(async (db) => {
    await claimTool(db, change);
    const move = await work(db, change, await readVersionHeads(db, toolId));
    const data = { tool_id: toolId, version: move.to, previous_version: move.from };
    await emitEvent(db, { organization, type, at: change.now, toolId, data });
    await audit.record(db, principal, { action, target: toolId, detail: { ...move } });
    return move;
  });
  store.touch();
  return moved;
}
