import type {
  LocalPlatform,
  OpenLocalPlatform,
  StoreLocation,
} from "../environments/local-platform.ts";

/** A store that remembers what was done to it. */
export interface MemoryPlatform {
  readonly open: OpenLocalPlatform;
  /** What was done: the method and what it was given. */
  readonly calls: readonly (readonly unknown[])[];
  readonly places: readonly StoreLocation[];
  /** Those that are open still. */
  openCount(): number;
}

/** What a store refuses, as the platform's library says it. */
class Problem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Problem";
    this.status = status;
  }
}

const issued = {
  api_key_id: "0".repeat(24),
  api_key: "new-key",
  expires_at: "2027-01-01T00:00:00.000Z",
};

/** Makes a store in memory, in which the role `taken` is there already. */
export function createMemoryPlatform(): MemoryPlatform {
  const calls: unknown[][] = [];
  const places: StoreLocation[] = [];
  let opened = 0;
  const platform: LocalPlatform = {
    createOrganization: async (name) => {
      calls.push(["createOrganization", name]);
      return { organization: "o", user_id: "u", api_key_id: "k", api_key: "secret-key" };
    },
    listOrganizations: async () => [
      { id: "o1", name: "acme", created_at: "2026-01-01T00:00:00.000Z" },
      { id: "o2", name: "other\u001b[1m", created_at: "2026-01-01T00:00:00.000Z" },
    ],
    createRole: async (organization, role) => {
      if (role.name === "taken") throw new Problem(409, "There is a role taken already.");
      calls.push(["createRole", organization, role]);
      return { id: "r", ...role };
    },
    listRoles: async (organization) => {
      calls.push(["listRoles", organization]);
      return [{ id: "r", name: "caller", permissions: ["Tool:InvokeTool"] }];
    },
    replaceRole: async (organization, role) => {
      calls.push(["replaceRole", organization, role]);
      return { id: "r", ...role };
    },
    deleteRole: async (organization, name) => {
      calls.push(["deleteRole", organization, name]);
    },
    createKey: async (organization, key) => {
      calls.push(["createKey", organization, key]);
      return issued;
    },
    listKeys: async () => [
      {
        key_id: "k1",
        name: "ci",
        created_at: "2026-01-01T00:00:00.000Z",
        expires_at: "2026-04-01T00:00:00.000Z",
        role_id: "r",
        permissions: ["Tool:InvokeTool@set:desk"],
      },
    ],
    deleteKey: async (organization, id) => {
      calls.push(["deleteKey", organization, id]);
    },
    rotateKey: async (organization, id, options) => {
      calls.push(["rotateKey", organization, id, options]);
      return issued;
    },
    exportAudit: async () => [],
    auditAnchors: async () => ({ anchors: [], last: null }),
    rotateSecrets: async () => {
      calls.push(["rotateSecrets"]);
      return { keyId: "abc", resealed: 3, dropped: 1 };
    },
    close: async () => {
      opened -= 1;
    },
  };
  return {
    calls,
    places,
    openCount: () => opened,
    open: async (place) => {
      places.push(place);
      opened += 1;
      return platform;
    },
  };
}
