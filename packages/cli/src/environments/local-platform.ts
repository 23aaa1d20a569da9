import type { AuditAnchor, AuditLine } from "@haft/platform/client";

/** Lines of the audit trail that were written down daily, and the last one now. */
export interface AuditAnchors {
  readonly anchors: readonly AuditAnchor[];
  readonly last: AuditAnchor | null;
}

/** The store that commands work on: in a data directory, or in a database. */
export interface StoreLocation {
  /** Absolute path. It has the master key even if the data is in a database. */
  readonly directory: string;
  /** `postgres://…` */
  readonly database: string | undefined;
}

/** A new organization with the key of its first user. */
export interface NewOrganization {
  readonly organization: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
}

/** A role as the API returns it. */
export interface LocalRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** An API key without its secret, as the API returns it. */
export interface LocalKey {
  readonly key_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly role_id: string;
  /** What the key narrows its role to; null or absent if it doesn't. */
  readonly permissions?: readonly string[] | null;
}

/** An API key to create. */
export interface NewLocalKey {
  readonly name: string | null;
  /** In ISO 8601. */
  readonly duration: string;
  readonly role_name: string;
  /** What the key narrows its role to. Default: all of it. */
  readonly permissions?: readonly string[];
}

/** A new API key. Its secret cannot be shown again. */
export interface IssuedKey {
  readonly api_key_id: string;
  readonly api_key: string;
  readonly expires_at: string;
}

/**
 * A platform's store without its server. Organizations are named by ID or name; `undefined` is the
 * only one. Several processes may have the store open.
 */
export interface LocalPlatform {
  createOrganization(name: string): Promise<NewOrganization>;
  listOrganizations(): Promise<
    readonly { readonly id: string; readonly name: string; readonly created_at: string }[]
  >;
  createRole(
    organization: string | undefined,
    role: Pick<LocalRole, "name" | "permissions">,
  ): Promise<LocalRole>;
  listRoles(organization: string | undefined): Promise<readonly LocalRole[]>;
  replaceRole(
    organization: string | undefined,
    role: Pick<LocalRole, "name" | "permissions">,
  ): Promise<LocalRole>;
  deleteRole(organization: string | undefined, name: string): Promise<void>;
  createKey(organization: string | undefined, key: NewLocalKey): Promise<IssuedKey>;
  listKeys(organization: string | undefined): Promise<readonly LocalKey[]>;
  deleteKey(organization: string | undefined, id: string): Promise<void>;
  /** The old key expires at once, or after `grace`. Durations are in ISO 8601. */
  rotateKey(
    organization: string | undefined,
    id: string,
    options: { readonly grace?: string; readonly duration?: string },
  ): Promise<IssuedKey>;
  /** Lines of the audit trail in their order, from behind the line with the ID `after`. */
  exportAudit(organization: string | undefined, after: number): Promise<readonly AuditLine[]>;
  auditAnchors(organization: string | undefined): Promise<AuditAnchors>;
  /** Encrypts every secret with a new master key and deletes the old ones. */
  rotateSecrets(): Promise<{
    readonly keyId: string;
    readonly resealed: number;
    readonly dropped: number;
  }>;
  close(): Promise<void>;
}

/** Opens a store. */
export type OpenLocalPlatform = (place: StoreLocation) => Promise<LocalPlatform>;

/** Backs up and restores data directories. */
export interface PlatformFiles {
  backup(options: {
    readonly directory: string;
    readonly file: string;
    readonly withoutKey: boolean;
    readonly force: boolean;
  }): Promise<{
    readonly file: string;
    readonly bytes: number;
    readonly repositories: number;
    readonly hasKey: boolean;
  }>;
  restore(options: {
    readonly directory: string;
    readonly file: string;
    readonly force: boolean;
  }): Promise<{
    readonly directory: string;
    readonly createdAt: string;
    readonly repositories: number;
    readonly hasKey: boolean;
    readonly replaced: string | undefined;
  }>;
}

/** Opens the store of a platform. Loads the platform's code only then. */
export const openLocalPlatform: OpenLocalPlatform = async (place) => {
  const platform = await import("@haft/platform/internal");
  return platform.openLocalPlatform(place);
};

/** Backs up and restores with the platform's own code. */
export const platformFiles: PlatformFiles = {
  backup: async (options) => (await import("@haft/platform/internal")).writeBackup(options),
  restore: async (options) => (await import("@haft/platform/internal")).restoreBackup(options),
};
