import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { hashAuditLine, toHashedLine } from "./audit-line.ts";

/** A change for the audit trail. */
export interface AuditEntry {
  /** Such as `tool.create`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly target: string;
  /** Must not contain secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

type Author = Pick<Principal, "organization" | "userId" | "keyId">;

/** The audit trail: who changed what. The lines of an organization are a chain of hashes. */
export interface Audit {
  /**
   * Writes a line in the transaction of its change, as the last statement of it: until the
   * transaction ends, no other one can write a line of this organization.
   */
  record(transaction: Kysely<Tables>, author: Author, entry: AuditEntry): Promise<void>;
  /** Writes a line about a change that is not in the store, such as a push. */
  recordAlone(author: Author, entry: AuditEntry): Promise<void>;
}

/** Creates an audit trail in the store. */
export function createAudit(parts: { readonly store: Store; now(): number }): Audit {
  const record: Audit["record"] = async (
    transaction,
    { organization, userId, keyId },
    { action, target, detail },
  ) => {
    // Locks the end of the chain, so that two lines can't follow the same one.
    const last = await transaction
      .insertInto("audit_chains")
      .values({ org_id: organization, number: 0, hash: null })
      .onConflict((conflict) =>
        conflict
          .column("org_id")
          .doUpdateSet((row) => ({ number: row.ref("audit_chains.number") })),
      )
      .returning(["number", "hash"])
      .executeTakeFirstOrThrow();
    const row = {
      org_id: organization,
      number: last.number + 1,
      user_id: userId,
      // Commands on the data directory have no key.
      key_id: keyId === "" ? null : keyId,
      action,
      target,
      detail: JSON.stringify(detail ?? {}),
      created_at: parts.now(),
      previous_hash: last.hash,
    };
    const hash = hashAuditLine(toHashedLine(row));
    await transaction
      .insertInto("audit")
      .values({ ...row, hash })
      .execute();
    await transaction
      .updateTable("audit_chains")
      .set({ number: row.number, hash })
      .where("org_id", "=", organization)
      .execute();
  };
  return {
    record,
    recordAlone: (author, entry) =>
      parts.store.db.transaction().execute((transaction) => record(transaction, author, entry)),
  };
}
