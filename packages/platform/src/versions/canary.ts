import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { CanaryRow } from "../store/schema.ts";
import { claimTool } from "../tools/claim-tool.ts";
import { requireTool } from "../tools/require-tool.ts";
import { toAbortRule } from "./abort-rule.ts";
import { endCanary } from "./canary-rows.ts";
import { requireActive } from "./move-latest.ts";
import { readVersionHeads } from "./read-version-heads.ts";
import { toText } from "./version-text.ts";

type Parts = Pick<PlatformParts, "store" | "audit" | "now">;

/** A canary to start. */
export interface CanaryOrder {
  readonly toolId: string;
  /** Exact. */
  readonly version: string;
  readonly percent: number;
  /** Such as `errors > 2x`. */
  readonly abortIf: string;
}

/**
 * Sends a part of the calls of `latest` to another version. Throws a `Problem`: 404 for an unknown
 * version, 400 for one that can't be a canary, 409 if the tool has a canary.
 */
export async function startCanary(
  { store, audit, now }: Parts,
  principal: Principal,
  { toolId, version, percent, abortIf }: CanaryOrder,
): Promise<CanaryRow> {
  const rule = toAbortRule(abortIf);
  const { organization, userId } = principal;
  const at = now();
  const row = await store.db.transaction().execute(async (db) => {
    await claimTool(db, { organization, toolId, userId, now: at });
    const { name } = await requireTool(db, { organization, toolId });
    const heads = await readVersionHeads(db, toolId);
    const chosen = requireActive(name, heads, version);
    if (chosen.isLatest) {
      throw new Problem(
        400,
        `Version ${toText(chosen)} is the latest of ${JSON.stringify(name)}: it gets all calls already. Choose another version.`,
      );
    }
    if (!heads.some(({ isLatest }) => isLatest)) {
      throw new Problem(
        400,
        `The tool ${JSON.stringify(name)} has no latest version to compare with. Promote a version first.`,
      );
    }
    const running = await db
      .selectFrom("canaries")
      .select("version")
      .where("tool_id", "=", toolId)
      .where("ended_at", "is", null)
      .executeTakeFirst();
    if (running !== undefined) {
      throw new Problem(
        409,
        `Version ${running.version} is a canary of ${JSON.stringify(name)} already. Stop it first.`,
      );
    }
    const canary: CanaryRow = {
      ...{ id: newId(at), org_id: organization, tool_id: toolId, version_id: chosen.id },
      ...{ version: toText(chosen), percent, abort_if: rule.text },
      ...{ calls: 0, errors: 0, stable_calls: 0, stable_errors: 0 },
      ...{ user_id: userId, started_at: at, ended_at: null, outcome: null },
    };
    await db.insertInto("canaries").values(canary).execute();
    const detail = { version: canary.version, percent, abort_if: rule.text };
    await audit.record(db, principal, { action: "canary.start", target: toolId, detail });
    return canary;
  });
  store.touch();
  return row;
}

/** Stops the canary of a tool. Throws a `Problem` 404 if it has none. */
export async function stopCanary(
  { store, audit, now }: Parts,
  principal: Principal,
  toolId: string,
): Promise<void> {
  const { organization } = principal;
  const { name } = await requireTool(store.db, { organization, toolId });
  await store.db.transaction().execute(async (db) => {
    const ended = await endCanary(db, toolId, { outcome: "stopped", now: now() });
    if (ended === undefined) {
      throw new Problem(404, `The tool ${JSON.stringify(name)} has no canary.`);
    }
    const { version, calls, errors } = ended;
    const detail = { version, calls, errors };
    await audit.record(db, principal, { action: "canary.stop", target: toolId, detail });
  });
  store.touch();
}
