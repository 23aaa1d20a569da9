import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { Problem } from "../problem.ts";

/** Throws if a caller grants permissions that it does not have. */
export function requireMayGrant(principal: Principal, allowed: Iterable<Permission>): void {
  const missing = [...allowed].filter((permission) => !principal.may(permission));
  if (missing.length === 0) return;
  throw new Problem(
    403,
    `You can't grant permissions that your role ${principal.role} does not have: ${missing.join(", ")}.`,
  );
}
