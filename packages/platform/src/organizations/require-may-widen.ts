import type { Kysely } from "kysely";
import { anyValue, parseGrants, type ToolScope, toLimitedText } from "../auth/grants.ts";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { mayOnTool } from "../auth/tool-access.ts";
import { Problem } from "../problem.ts";
import type { Tables } from "../store/schema.ts";

/** Tools that are put under tags or into a set. */
export interface Widening {
  readonly toolIds: readonly string[];
  readonly scopes: readonly Exclude<ToolScope, { kind: "tool" }>[];
}

/**
 * Throws if putting tools under a tag or into a set would give roles or keys a permission on them that
 * the caller does not have. Call it before the transaction of the change: it looks at the tools as
 * they are, through a connection of its own.
 */
export async function requireMayWiden(
  db: Kysely<Tables>,
  principal: Principal,
  { toolIds, scopes }: Widening,
): Promise<void> {
  if (toolIds.length === 0 || scopes.length === 0) return;
  for (const [permission, text] of await findGranted(db, principal.organization, scopes)) {
    for (const toolId of toolIds) {
      if (await mayOnTool(principal, permission, toolId)) continue;
      throw new Problem(
        403,
        `This would give keys with ${text} that permission on the tool ${toolId}, and you do not have it there yourself. Use a key with the permission.`,
      );
    }
  }
}

/** Finds the permissions that roles and keys have on any of these, each with an example. */
async function findGranted(
  db: Kysely<Tables>,
  organization: string,
  scopes: Widening["scopes"],
): Promise<ReadonlyMap<Permission, string>> {
  const roles = db.selectFrom("roles").select("permissions").where("org_id", "=", organization);
  const keys = db.selectFrom("api_keys").select("permissions").where("org_id", "=", organization);
  const texts = [...(await roles.execute()), ...(await keys.execute())];
  const limited = texts.flatMap(({ permissions }) =>
    permissions === null ? [] : parseGrants(permissions).limited,
  );
  return new Map(
    limited
      .filter(({ scope }) => scopes.some((each) => covers(scope, each)))
      .map((each) => [each.permission, toLimitedText(each)]),
  );
}

function covers(granted: ToolScope, added: Widening["scopes"][number]): boolean {
  if (granted.kind === "set") return added.kind === "set" && granted.name === added.name;
  if (granted.kind !== "tag" || added.kind !== "tag") return false;
  return granted.key === added.key && [anyValue, added.value].includes(granted.value as never);
}
