import type { Permission } from "./permissions.ts";
import type { Principal } from "./principal.ts";

// Everything that depends on what a caller may do with which tool asks one of these functions.

/** The permissions of which one lets a limited caller see a tool. */
const seeing: readonly Permission[] = [
  "Tool:GetTool",
  "Tool:InvokeTool",
  "Tool:ModifyTool",
  "Tool:DeleteTool",
];

/** Returns whether a caller has a permission on a tool. Answers at once if it is not limited. */
export function mayOnTool(
  principal: Principal,
  permission: Permission,
  toolId: string,
): boolean | Promise<boolean> {
  if (principal.may(permission)) return true;
  const { limits } = principal;
  if (limits === undefined || !limits.has(permission)) return false;
  return limits.find(permission, toolId).then((found) => found.has(toolId));
}

/** Returns whether a caller may have a permission on some tool. */
export function mayOnSome({ may, limits }: Principal, permission: Permission): boolean {
  return may(permission) || (limits?.has(permission) ?? false);
}

/** Returns the tools on which a caller has all of these permissions; `undefined` for every tool. */
export async function findAllowedTools(
  principal: Principal,
  permissions: readonly Permission[],
): Promise<ReadonlySet<string> | undefined> {
  let allowed: ReadonlySet<string> | undefined;
  for (const permission of permissions) {
    if (principal.may(permission)) continue;
    const found = (await principal.limits?.find(permission)) ?? new Set<string>();
    allowed = new Set([...found].filter((id) => allowed?.has(id) ?? true));
  }
  return allowed;
}

/**
 * Returns the tools that a caller sees; `undefined` for every tool. Callers without limits see all
 * tools, others exactly those that they may do something with.
 */
export async function findVisibleTools(
  principal: Principal,
): Promise<ReadonlySet<string> | undefined> {
  const { limits } = principal;
  if (limits === undefined || seeing.some((permission) => principal.may(permission))) {
    return undefined;
  }
  const found = await Promise.all(seeing.map((permission) => limits.find(permission)));
  return new Set(found.flatMap((ids) => [...ids]));
}

/** Returns whether a caller sees a tool. */
export async function maySeeTool(principal: Principal, toolId: string): Promise<boolean> {
  if (principal.limits === undefined) return true;
  for (const permission of seeing) {
    if (await mayOnTool(principal, permission, toolId)) return true;
  }
  return false;
}
