import { Problem } from "../problem.ts";
import type { Store } from "../store/store.ts";
import { toConstraint } from "../versions/constraint.ts";
import { markLatest } from "../versions/read-version-heads.ts";
import type { ToolFilter } from "./invocation-filter.ts";

/** Which tools somebody asks for and, if they say, which versions of each. */
export interface ToolsAsked {
  readonly organization: string;
  readonly toolIds: readonly string[];
  /** A constraint for each tool, or none at all. */
  readonly constraints: readonly string[];
}

/**
 * Finds out which versions are meant. There are few versions of a tool and many invocations, so the
 * constraint is compared to the versions.
 */
export async function findToolFilters(store: Store, asked: ToolsAsked): Promise<ToolFilter[]> {
  const { organization, toolIds, constraints } = asked;
  if (constraints.length === 0) return toolIds.map((toolId) => ({ toolId }));
  if (constraints.length !== toolIds.length) {
    throw new Problem(
      400,
      `There are ${toolIds.length} of tool_id and ${constraints.length} of version. Give one ` +
        "version for each tool_id, in the same order, or no version at all.",
    );
  }
  const parsed = constraints.map((text) => toConstraint(text, ["query", "version"]));
  const known = await store.db
    .selectFrom("tool_versions")
    .leftJoin("tools", "tools.id", "tool_versions.tool_id")
    .select(["tool_versions.id", "tool_id", "major", "minor", "patch", "candidate"])
    .select(["tool_versions.deprecated", "tools.latest_version_id"])
    .where("tool_versions.org_id", "=", organization)
    .where("tool_id", "in", toolIds)
    .execute();
  return toolIds.map((toolId, index) => {
    const own = known.filter((version) => version.tool_id === toolId);
    const all = markLatest(own, own[0]?.latest_version_id ?? null);
    const versions = parsed[index]?.select(all) ?? [];
    return versions.length === all.length && all.length > 0 ? { toolId } : { toolId, versions };
  });
}
