import type { PlatformParts } from "../platform-parts.ts";
import type { Audit } from "./audit.ts";

/** Keeps the audit trail in the store. */
export function createAudit(parts: Pick<PlatformParts, "store" | "now">): Audit {
  return {
    record: async ({ organization, userId, keyId }, { action, target, detail }) => {
      await parts.store.db
        .insertInto("audit")
        .values({
          org_id: organization,
          user_id: userId,
          // Who works at the machine itself needs no key.
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
