import { toIsoMoment } from "../iso-moment.ts";
import { readAuditAnchors } from "../operations/audit-anchors.ts";
import type { AuditAnchor } from "../operations/audit-check.ts";
import type { AuditLine } from "../operations/audit-line.ts";
import type { ApiKeys, CreatedApiKey } from "../organizations/api-keys.ts";
import { createApiKeys, readOwnPermissions } from "../organizations/api-keys.ts";
import { exportAuditTrail, findLastAuditLine } from "../organizations/audit-trail.ts";
import {
  type AdministratorAccess,
  createOrganization,
} from "../organizations/create-organization.ts";
import { requireLocalPrincipal } from "../organizations/local-principal.ts";
import { requireDuration } from "../organizations/require-duration.ts";
import { createRoles, type Role } from "../organizations/roles.ts";
import { type Rotation, rotateMasterKey } from "../secrets/rotate-master-key.ts";
import { openPlatformParts } from "./open-platform-parts.ts";

/** The store to open. */
export interface LocalPlatformOptions {
  readonly directory: string;
  readonly database: string | undefined;
}

/** A new key, in its wire format. */
export interface LocalIssuedKey {
  readonly api_key_id: string;
  readonly api_key: string;
  readonly expires_at: string;
}

/** A key without its secret, in its wire format. */
export interface LocalListedKey {
  readonly key_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly role_id: string;
  /** What the key narrows its role to; null if it doesn't. */
  readonly permissions: readonly string[] | null;
}

/**
 * A platform's store without its server. It can be open while the server runs. An organization is given
 * by ID or name, and can be omitted if there is only one.
 */
export interface LocalPlatform {
  createOrganization(name: string): Promise<AdministratorAccess>;
  listOrganizations(): Promise<
    readonly { readonly id: string; readonly name: string; readonly created_at: string }[]
  >;
  createRole(
    organization: string | undefined,
    role: { readonly name: string; readonly permissions: readonly string[] },
  ): Promise<Pick<Role, "id" | "name" | "permissions">>;
  listRoles(
    organization: string | undefined,
  ): Promise<readonly Pick<Role, "id" | "name" | "permissions">[]>;
  replaceRole(
    organization: string | undefined,
    role: { readonly name: string; readonly permissions: readonly string[] },
  ): Promise<Pick<Role, "id" | "name" | "permissions">>;
  deleteRole(organization: string | undefined, name: string): Promise<void>;
  createKey(
    organization: string | undefined,
    key: {
      readonly name: string | null;
      readonly duration: string;
      readonly role_name: string;
      readonly permissions?: readonly string[];
    },
  ): Promise<LocalIssuedKey>;
  listKeys(organization: string | undefined): Promise<readonly LocalListedKey[]>;
  deleteKey(organization: string | undefined, id: string): Promise<void>;
  rotateKey(
    organization: string | undefined,
    id: string,
    options: { readonly grace?: string; readonly duration?: string },
  ): Promise<LocalIssuedKey>;
  /** Exports the audit trail, from behind the line with the ID `after`. */
  exportAudit(organization: string | undefined, after: number): Promise<readonly AuditLine[]>;
  auditAnchors(
    organization: string | undefined,
  ): Promise<{ readonly anchors: readonly AuditAnchor[]; readonly last: AuditAnchor | null }>;
  rotateSecrets(): Promise<Rotation>;
  close(): Promise<void>;
}

const maxExported = 1_000;

/** Opens a platform's store without its server. */
export async function openLocalPlatform(options: LocalPlatformOptions): Promise<LocalPlatform> {
  const environment = process.env;
  const parts = await openPlatformParts({ ...options, environment });
  const { store } = parts;
  const roles = createRoles(parts);
  const keys: ApiKeys = createApiKeys(parts);
  const act = (organization: string | undefined): ReturnType<typeof requireLocalPrincipal> =>
    requireLocalPrincipal(parts, organization);
  return {
    createOrganization: (name) => createOrganization(parts, name),
    listOrganizations: async () => {
      const rows = await store.db
        .selectFrom("organizations")
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, created_at: toIsoMoment(row.created_at) }));
    },
    createRole: async (organization, role) => roles.create(await act(organization), role),
    listRoles: async (organization) => roles.list(await act(organization)),
    replaceRole: async (organization, { name, permissions }) =>
      roles.replace(await act(organization), name, permissions),
    deleteRole: async (organization, name) => roles.delete(await act(organization), name),
    createKey: async (organization, { name, duration, role_name, permissions }) =>
      toIssued(
        await keys.create(await act(organization), {
          name,
          durationMs: requireDuration("duration", duration),
          roleName: role_name,
          permissions,
        }),
      ),
    listKeys: async (organization) => {
      const found = await keys.list(await act(organization));
      return found.map(({ key_id, name, role_id, permissions, created_at, expires_at }) => ({
        key_id,
        name,
        role_id,
        permissions: readOwnPermissions(permissions),
        created_at: toIsoMoment(created_at),
        expires_at: toIsoMoment(expires_at),
      }));
    },
    deleteKey: async (organization, id) => keys.delete(await act(organization), id),
    rotateKey: async (organization, id, { grace, duration }) =>
      toIssued(
        await keys.rotate(await act(organization), id, {
          graceMs: grace === undefined ? 0 : requireDuration("grace", grace, 0),
          durationMs: duration === undefined ? undefined : requireDuration("duration", duration),
        }),
      ),
    exportAudit: async (given, after) => {
      const { organization } = await act(given);
      return exportAuditTrail(parts, { organization, after, limit: maxExported });
    },
    auditAnchors: async (given) => {
      const { organization } = await act(given);
      const anchors = readAuditAnchors(options.directory, organization);
      return { anchors, last: await findLastAuditLine(parts, organization) };
    },
    rotateSecrets: () => rotateMasterKey({ store, directory: options.directory, environment }),
    close: () => store.close(),
  };
}

function toIssued({ keyId, apiKey, expiresAt }: CreatedApiKey): LocalIssuedKey {
  return { api_key_id: keyId, api_key: apiKey, expires_at: toIsoMoment(expiresAt) };
}
