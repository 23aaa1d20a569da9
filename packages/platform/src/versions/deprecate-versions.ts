import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { requireTool } from "../tools/require-tool.ts";
import { toConstraint } from "./constraint.ts";
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
 * Retires versions: they can be read, not run. Those that are retired already stay so. Throws a
 * `Problem`: 404 if the constraint names none, 409 while something else is done to the tool.
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
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable("tool_versions")
        .set({ deprecated: 1, updated_at: parts.now(), updated_by_user_id: userId })
        .where(
          "id",
          "in",
          active.map(({ id }) => id),
        )
        .execute();
      await parts.audit.record(transaction, principal, {
        action: "version.deprecate",
        target: toolId,
        detail: { versions: active.map(toText) },
      });
    });
  });
}

function noVersion(tool: string, versions: string): Problem {
  return new Problem(
    404,
    `The tool ${JSON.stringify(tool)} has no version ${JSON.stringify(versions.trim())}. List its versions to see which there are.`,
  );
}
