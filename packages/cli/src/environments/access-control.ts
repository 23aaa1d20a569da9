import type { AuditLine, PlatformClient } from "@haft/platform/client";
import type {
  AuditAnchors,
  IssuedKey,
  LocalKey,
  LocalPlatform,
  LocalRole,
  NewLocalKey,
} from "./local-platform.ts";

/** Roles, keys and the audit trail of one organization, over HTTP or directly in the store. */
export interface AccessControl {
  createRole(role: Pick<LocalRole, "name" | "permissions">): Promise<LocalRole>;
  listRoles(): Promise<readonly LocalRole[]>;
  replaceRole(role: Pick<LocalRole, "name" | "permissions">): Promise<LocalRole>;
  deleteRole(name: string): Promise<void>;
  createKey(key: NewLocalKey): Promise<IssuedKey>;
  listKeys(): Promise<readonly LocalKey[]>;
  deleteKey(id: string): Promise<void>;
  rotateKey(
    id: string,
    options: { readonly grace?: string; readonly duration?: string },
  ): Promise<IssuedKey>;
  /** Lines of the audit trail in their order, from behind the line with the ID `after`. */
  exportAudit(after: number): Promise<readonly AuditLine[]>;
  auditAnchors(): Promise<AuditAnchors>;
  close(): Promise<void>;
}

/** Creates access control over HTTP. */
export function clientAccess({ roles, keys, audit }: PlatformClient): AccessControl {
  return {
    createRole: roles.create,
    listRoles: async () => (await roles.list()).roles,
    replaceRole: roles.replace,
    deleteRole: roles.delete,
    createKey: keys.create,
    listKeys: async () => (await keys.list()).api_keys,
    deleteKey: async (id) => {
      await keys.delete(id);
    },
    rotateKey: keys.rotate,
    exportAudit: audit.export,
    auditAnchors: audit.anchors,
    close: async () => undefined,
  };
}

/** Creates access control that works directly on the store. */
export function storeAccess(
  platform: LocalPlatform,
  organization: string | undefined,
): AccessControl {
  return {
    createRole: (role) => platform.createRole(organization, role),
    listRoles: () => platform.listRoles(organization),
    replaceRole: (role) => platform.replaceRole(organization, role),
    deleteRole: (name) => platform.deleteRole(organization, name),
    createKey: (key) => platform.createKey(organization, key),
    listKeys: () => platform.listKeys(organization),
    deleteKey: (id) => platform.deleteKey(organization, id),
    rotateKey: (id, options) => platform.rotateKey(organization, id, options),
    exportAudit: (after) => platform.exportAudit(organization, after),
    auditAnchors: () => platform.auditAnchors(organization),
    close: () => platform.close(),
  };
}
