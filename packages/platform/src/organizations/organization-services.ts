import {
  createAuthenticator,
  type IdentifyingAuthenticator,
} from "../auth/create-authenticator.ts";
import { openTokenSecret } from "../auth/token-secret.ts";
import { createTokens, type Tokens } from "../auth/tokens.ts";
import { type ConsoleSessions, createConsoleSessions } from "../console/console-sessions.ts";
import { readAuditAnchors } from "../operations/audit-anchors.ts";
import type { AuditAnchor } from "../operations/audit-check.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { type ApiKeys, createApiKeys } from "./api-keys.ts";
import { createRoles, type Roles } from "./roles.ts";
import { createUserVariables, type UserVariables } from "./user-variables.ts";
import { createUsers, type Users } from "./users.ts";

/** Everything about who may do what. */
export interface OrganizationServices {
  readonly parts: PlatformParts;
  readonly tokens: Tokens;
  readonly authenticator: IdentifyingAuthenticator;
  readonly apiKeys: ApiKeys;
  readonly consoleSessions: ConsoleSessions;
  readonly roles: Roles;
  readonly users: Users;
  readonly userVariables: UserVariables;
  /** Reads the anchors of an organization's audit trail. */
  readAnchors(organization: string): readonly AuditAnchor[];
}

/** Makes the services; `directory` is the data directory. Fails with the remedy if the master key is not the store's. */
export async function openOrganizationServices(
  parts: PlatformParts,
  directory: string,
): Promise<OrganizationServices> {
  await openTokenSecret(parts);
  const tokens = createTokens(parts);
  return {
    parts,
    tokens,
    authenticator: createAuthenticator(parts, tokens),
    apiKeys: createApiKeys(parts),
    consoleSessions: createConsoleSessions(parts),
    roles: createRoles(parts),
    users: createUsers(parts),
    userVariables: createUserVariables(parts),
    readAnchors: (organization) => readAuditAnchors(directory, organization),
  };
}
