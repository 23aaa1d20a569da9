import type { Kysely } from "kysely";
import {
  type LimitedPermission,
  limitablePermissions,
  parseLimited,
  toLimitedText,
} from "../auth/grants.ts";
import { permissions } from "../auth/permissions.ts";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";
import type { Tables } from "../store/schema.ts";

/** The maximum number of permissions of a role or key. */
export const maxGrants = 200;

/**
 * Checks permissions that are to be stored, and puts the ids of tools in the place of their names.
 * Throws a `Problem` 400 for one that is unknown or names no tool or set.
 */
export async function requireGrantable(
  db: Kysely<Tables>,
  organization: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const limited: string[] = [];
  for (const text of texts) {
    if (permissions.some((each) => each === text)) continue;
    limited.push(toLimitedText(await requireScope(db, organization, requireLimited(text))));
  }
  const everywhere = permissions.filter((permission) => texts.includes(permission));
  return [...everywhere, ...new Set(limited)];
}

function requireLimited(text: string): LimitedPermission {
  const parsed = parseLimited(text);
  if (parsed !== undefined) return parsed;
  const isLimited = text.includes("@");
  throw new Problem(
    400,
    isLimited
      ? `${toShownName(text, 100)} is not a permission on some tools. Write one such as Tool:InvokeTool@set:support, with @tool:ID, @tag:KEY:VALUE or @set:NAME behind one of: ${limitablePermissions.join(", ")}.`
      : `There is no permission ${toShownName(text, 100)}. Known are: ${permissions.join(", ")}.`,
  );
}

async function requireScope(
  db: Kysely<Tables>,
  organization: string,
  limited: LimitedPermission,
): Promise<LimitedPermission> {
  const { scope } = limited;
  if (scope.kind === "tag") return limited;
  const wanted = scope.kind === "tool" ? scope.id : scope.name;
  // PostgreSQL can't look for a zero byte. No tool or set has one.
  const name = wanted.includes("\0") ? "" : wanted;
  const unknown = (): Problem =>
    new Problem(
      400,
      `There is no tool${scope.kind === "set" ? " set" : ""} ${toShownName(wanted)}.`,
    );
  if (scope.kind === "set") {
    await db
      .selectFrom("tool_sets")
      .select("id")
      .where("org_id", "=", organization)
      .where("name", "=", name)
      .executeTakeFirstOrThrow(unknown);
    return limited;
  }
  // The name of a deprecated tool can be another tool's later, so the id is stored.
  const { id } = await db
    .selectFrom("tools")
    .select("id")
    .where("org_id", "=", organization)
    .where((tool) =>
      tool.or([
        tool("id", "=", name),
        tool.and([tool("name", "=", name), tool("deprecated", "=", 0)]),
      ]),
    )
    .executeTakeFirstOrThrow(unknown);
  return { ...limited, scope: { kind: "tool", id } };
}
