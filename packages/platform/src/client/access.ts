import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type {
  ApiKey,
  AuditAnchor,
  AuditLine,
  IssuedApiKey,
  NewApiKey,
  Role,
} from "./wire-types.ts";

/** An organization's API keys. */
export interface KeysClient {
  list(): Promise<{ readonly api_keys: readonly ApiKey[] }>;
  create(key: NewApiKey): Promise<IssuedApiKey>;
  delete(id: string): Promise<{ readonly deleted_key_id: string }>;
  /** Another key of the same user and role; the old one ends at once, or after `grace`. */
  rotate(
    id: string,
    options?: { readonly grace?: string; readonly duration?: string },
  ): Promise<IssuedApiKey>;
}

/** An organization's roles. */
export interface RolesClient {
  list(): Promise<{ readonly roles: readonly Role[] }>;
  create(role: Pick<Role, "name" | "permissions">): Promise<Role>;
  /** Replaces the permissions of a role, for its API keys at once. */
  replace(role: Pick<Role, "name" | "permissions">): Promise<Role>;
  delete(name: string): Promise<void>;
}

/** An organization's audit trail. */
export interface AuditClient {
  /** Up to 1,000 lines in their order, from behind the line with the ID `after`. Default: from the first. */
  export(after?: number): Promise<readonly AuditLine[]>;
  /** The last line, and the lines that the server has written down daily. */
  anchors(): Promise<{
    readonly anchors: readonly AuditAnchor[];
    readonly last: AuditAnchor | null;
  }>;
}

/** Makes the part of the client that is about the audit trail. */
export function createAuditClient(requester: Requester, place: OrganizationPath): AuditClient {
  return {
    export: async (after = 0) => {
      const path = await place.path("organization", "audit", "export");
      const response = await requester.send("GET", path, { query: { after } });
      const lines = (await response.text()).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as AuditLine);
    },
    anchors: async () =>
      requester.request("GET", await place.path("organization", "audit", "anchors")),
  };
}

/** Makes the part of the client that is about keys. */
export function createKeysClient(requester: Requester, place: OrganizationPath): KeysClient {
  return {
    list: async () => requester.request("GET", await place.path("organization", "api_key", "")),
    create: async (body) =>
      requester.request("POST", await place.path("organization", "api_key", ""), { body }),
    delete: async (id) =>
      requester.request("DELETE", await place.path("organization", "api_key", id, "")),
    rotate: async (id, options = {}) =>
      requester.request("POST", await place.path("organization", "api_key", id, "rotate"), {
        body: options,
      }),
  };
}

/** Makes the part of the client that is about roles. */
export function createRolesClient(requester: Requester, place: OrganizationPath): RolesClient {
  return {
    list: async () => requester.request("GET", await place.path("organization", "role", "")),
    create: async (body) =>
      requester.request("POST", await place.path("organization", "role", ""), { body }),
    replace: async ({ name, permissions }) =>
      requester.request("PUT", await place.path("organization", "role", name), {
        body: { permissions },
      }),
    delete: async (name) =>
      requester.request("DELETE", await place.path("organization", "role", name)),
  };
}
