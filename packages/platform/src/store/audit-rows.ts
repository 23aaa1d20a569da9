import type { Generated } from "kysely";

/** A line of the audit trail. */
export interface AuditRow {
  seq: Generated<number>;
  org_id: string;
  user_id: string;
  key_id: string | null;
  /** Such as `tool.create`. */
  action: string;
  /** The id of the changed object. */
  target: string;
  /** JSON, without secrets. */
  detail: string;
  created_at: number;
  /** Position in the organization's chain, from 1. Null for lines from before there was one. */
  number: number | null;
  /** Hash of the line before it; null in the first line. */
  previous_hash: string | null;
  hash: string | null;
}

/** The last line of an organization's audit trail. */
export interface AuditChainRow {
  org_id: string;
  number: number;
  hash: string | null;
}
