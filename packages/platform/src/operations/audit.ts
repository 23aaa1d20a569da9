import type { Principal } from "../auth/principal.ts";
import type { Store } from "../store/store.ts";

/** A change for the audit trail. */
export interface AuditEntry {
  /** Such as `tool.create`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly target: string;
  /** Must not contain secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The audit trail: who changed what. */
export interface Audit {
  record(
    principal: Pick<Principal, "organization" | "userId" | "keyId">,
    entry: AuditEntry,
  ): Promise<void>;
}

/** Creates an audit trail in the store. */
export function createAudit(parts: { readonly store: Store; now(): number }): Audit {
  return {
    record: async ({ organization, userId, keyId }, { action, target, detail }) => {
      await parts.store.db
        .insertInto("audit")
        .values({
          org_id: organization,
          user_id: userId,
          // Commands on the data directory have no key.
          key_id: keyId === "" ? null : keyId,
          action,
          target,
          detail: JSON.stringify(detail ?? {}),
          created_at: parts.now(),
        })
        .execute();
    },
  };
}
