import { type Permission, permissions } from "./permissions.ts";

/** Everything, also what will be added later. */
export const everyPermission = "*";

/** What a role allows, from how it is stored. */
export function fromRolePermissions(text: string): ReadonlySet<Permission> {
  const stored = JSON.parse(text) as readonly string[];
  if (stored.includes(everyPermission)) return all;
  return new Set(permissions.filter((permission) => stored.includes(permission)));
}

const all: ReadonlySet<Permission> = new Set(permissions);
