import type { Principal } from "../auth/principal.ts";

/** What somebody changed. */
export interface AuditEntry {
  /** Such as `tool.create`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly target: string;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Keeps who changed what. */
export interface Audit {
  record(
    principal: Pick<Principal, "organization" | "userId" | "keyId">,
    entry: AuditEntry,
  ): Promise<void>;
}
