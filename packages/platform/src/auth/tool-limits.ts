import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import type { Tables } from "../store/schema.ts";
import { anyValue, type Grants, type ToolScope, toLimitedText } from "./grants.ts";
import type { Permission } from "./permissions.ts";
import type { ToolLimits } from "./principal.ts";

/**
 * Creates the limits of a key: a permission covers the tools that every one of the grants covers, which
 * are those of its role and, if it is narrowed, its own. Returns `undefined` if nothing is limited.
 */
export function createToolLimits(
  db: Kysely<Tables>,
  organization: string,
  grants: readonly Grants[],
): ToolLimits | undefined {
  if (grants.length === 1 && grants[0]?.limited.length === 0) return undefined;
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const scopesOf = (permission: Permission): (readonly ToolScope[])[] =>
    grants
      .filter(({ everywhere }) => !everywhere.has(permission))
      .map(({ limited }) =>
        limited.filter((each) => each.permission === permission).map(({ scope }) => scope),
      );

  const find = async (
    permission: Permission,
    toolId: string | undefined,
  ): Promise<ReadonlySet<string>> => {
    let found: ReadonlySet<string> | undefined;
    for (const scopes of scopesOf(permission)) {
      const covered = await findTools(db, { organization, scopes, toolId });
      found = new Set([...covered].filter((id) => found?.has(id) ?? true));
    }
    return found ?? new Set();
  };

  return {
    texts: (grants.at(-1)?.limited ?? []).map(toLimitedText),
    has: (permission) => scopesOf(permission).every((scopes) => scopes.length > 0),
    find: (permission, toolId) => {
      const key = `${permission} ${toolId ?? ""}`;
      const finding = known.get(key) ?? find(permission, toolId);
      known.set(key, finding);
      // What failed once may succeed later.
      finding.catch(() => known.delete(key));
      return finding;
    },
  };
}

interface Wanted {
  readonly organization: string;
  readonly scopes: readonly ToolScope[];
  /** Only this tool, if it is covered. */
  readonly toolId: string | undefined;
}

async function findTools(
  db: Kysely<Tables>,
  { organization, scopes, toolId }: Wanted,
): Promise<ReadonlySet<string>> {
  if (scopes.length === 0) return new Set();
  const rows = await db
    .selectFrom("tools")
    .select("id")
    .where("org_id", "=", organization)
    .$if(toolId !== undefined, (query) => query.where("id", "=", toolId as string))
    .where((tool) => tool.or(scopes.map((scope) => isCovered(tool, organization, scope))))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function isCovered(
  tool: ExpressionBuilder<Tables, "tools">,
  organization: string,
  scope: ToolScope,
): Expression<SqlBool> {
  if (scope.kind === "tool") return tool("tools.id", "=", scope.id);
  if (scope.kind === "set") {
    return tool.exists(
      tool
        .selectFrom("tool_set_tools")
        .innerJoin("tool_sets", "tool_sets.id", "tool_set_tools.set_id")
        .select("tool_sets.id")
        .whereRef("tool_set_tools.tool_id", "=", "tools.id")
        .where("tool_sets.org_id", "=", organization)
        .where("tool_sets.name", "=", scope.name),
    );
  }
  const { key, value } = scope;
  const tag = tool
    .selectFrom("tool_tags")
    .select("tool_tags.key")
    .whereRef("tool_tags.tool_id", "=", "tools.id")
    .where("tool_tags.key", "=", key);
  if (value === anyValue) return tool.exists(tag);
  return tool.exists(
    value === null ? tag.where("value", "is", null) : tag.where("value", "=", value),
  );
}
