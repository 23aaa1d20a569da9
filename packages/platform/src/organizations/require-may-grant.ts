import type { Grants } from "../auth/grants.ts";
import type { Principal } from "../auth/principal.ts";
import { Problem } from "../problem.ts";

/** Throws if a caller grants permissions that it does not have for the whole organization. */
export function requireMayGrant(principal: Principal, { everywhere, limited }: Grants): void {
  const wanted = new Set([...everywhere, ...limited.map(({ permission }) => permission)]);
  const missing = [...wanted].filter((permission) => !principal.may(permission));
  if (missing.length === 0) return;
  throw new Problem(
    403,
    `You can't grant permissions that your role ${principal.role} does not have: ${missing.join(", ")}.`,
  );
}
