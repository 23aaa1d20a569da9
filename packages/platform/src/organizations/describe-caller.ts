import type { Wire } from "../api/wire.ts";
import { permissions } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import type { Store } from "../store/store.ts";

/** The schema of what a credential stands for. */
export const whoami = {
  type: "object",
  properties: {
    organization: { type: "string" },
    organization_name: { type: "string" },
    user_id: { type: "string" },
    api_key_id: { type: "string" },
    role: { type: "string" },
    permissions: { type: "array", items: { type: "string" } },
  },
  required: ["organization", "organization_name", "user_id", "api_key_id", "role", "permissions"],
} as const;

/** The organization, user and role of a credential. */
export type Whoami = Wire<typeof whoami>;

/** Returns what a caller's credential stands for, in the API's form. */
export async function describeCaller(
  { db }: Pick<Store, "db">,
  principal: Principal,
): Promise<Whoami> {
  const { name } = await db
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", principal.organization)
    .executeTakeFirstOrThrow();
  return {
    organization: principal.organization,
    organization_name: name,
    user_id: principal.userId,
    api_key_id: principal.keyId,
    role: principal.role,
    permissions: [
      ...permissions.filter((permission) => principal.may(permission)),
      ...(principal.limits?.texts ?? []),
    ],
  };
}
