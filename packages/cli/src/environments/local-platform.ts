/** Which store commands work on: a data directory's own, or a database. */
export interface StorePlace {
  /** In full. Has the master key also where the rows are in a database. */
  readonly directory: string;
  /** `postgres://…` */
  readonly database: string | undefined;
}

/** How an organization's first user gets in. */
export interface NewOrganization {
  readonly organization: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
}

/** A role, as the wire has it. */
export interface LocalRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** An API key without itself, as the wire has it. */
export interface LocalKey {
  readonly key_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly role_id: string;
}

/** A new API key, the only time that it can be seen. */
export interface IssuedKey {
  readonly api_key_id: string;
  readonly api_key: string;
  readonly expires_at: string;
}

/**
 * A platform's store without its server. Organizations are named by id or name; `undefined` is the
 * only one there is. Several processes may have the store open.
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
  deleteRole(organization: string | undefined, name: string): Promise<void>;
  /** `duration` as ISO 8601 says it. */
  createKey(
    organization: string | undefined,
    key: { readonly name: string | null; readonly duration: string; readonly role_name: string },
  ): Promise<IssuedKey>;
  listKeys(organization: string | undefined): Promise<readonly LocalKey[]>;
  deleteKey(organization: string | undefined, id: string): Promise<void>;
  /** The old key ends at once, or after `grace`; both are durations as ISO 8601 says them. */
  rotateKey(
    organization: string | undefined,
    id: string,
    options: { readonly grace?: string; readonly duration?: string },
  ): Promise<IssuedKey>;
  /** Seals every secret anew, with a new master key, and forgets the old ones. */
  rotateSecrets(): Promise<{
    readonly keyId: string;
    readonly resealed: number;
    readonly dropped: number;
  }>;
  close(): Promise<void>;
}

/** Opens a store. */
export type OpenLocalPlatform = (place: StorePlace) => Promise<LocalPlatform>;

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

/** Opens the store of a platform. Only what works on one loads the library for it. */
export const openLocalPlatform: OpenLocalPlatform = async (place) => {
  const platform = await import("@haft/platform");
  return platform.openLocalPlatform(place);
};

/** What backs up and restores. */
export const platformFiles: PlatformFiles = {
  backup: async (options) => (await import("@haft/platform")).writeBackup(options),
  restore: async (options) => (await import("@haft/platform")).restoreBackup(options),
};
