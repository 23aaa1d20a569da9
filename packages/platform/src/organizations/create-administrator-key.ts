import { administratorRole } from "../auth/permissions.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createApiKeys } from "./api-keys.ts";
import { type AdministratorAccess, administratorKeyMs } from "./create-organization.ts";
import { requireLocalPrincipal } from "./local-principal.ts";

/**
 * Makes another key for an organization's administrator, for who has lost the first one but has the
 * data directory. Without a name it is the only organization.
 */
export async function createAdministratorKey(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
  organizationIdOrName?: string,
): Promise<AdministratorAccess> {
  const principal = await requireLocalPrincipal(parts, organizationIdOrName);
  const { keyId, apiKey } = await createApiKeys(parts).create(principal, {
    name: "administrator",
    durationMs: administratorKeyMs,
    roleName: administratorRole,
  });
  return {
    organization: principal.organization,
    user_id: principal.userId,
    api_key_id: keyId,
    api_key: apiKey,
  };
}
