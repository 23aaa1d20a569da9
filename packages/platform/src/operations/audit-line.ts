import { hash } from "node:crypto";
import { isPlainObject } from "@haft/contract/internal";
import { toCanonicalJson } from "@haft/core/internal";
import type { Selectable } from "kysely";
import { toIsoMoment } from "../iso-moment.ts";
import type { AuditRow } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";

/** A line of the audit trail, as the API shows it. */
export interface AuditLine extends HashedLine {
  /** Grows with every line of the store. */
  readonly id: number;
  /** SHA-256 of the line without `id` and `hash`, as canonical JSON. Null before the chain began. */
  readonly hash: string | null;
}

/** The part of a line that its hash covers. */
export interface HashedLine {
  readonly org_id: string;
  /** Position in the organization's chain, from 1. Null for lines from before the chain began. */
  readonly number: number | null;
  readonly created_at: string;
  readonly user_id: string;
  readonly api_key_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The hash of the line before it. Null in the first line. */
  readonly previous_hash: string | null;
}

/** Converts a row to the API's form. */
export function toAuditLine(row: Selectable<AuditRow>): AuditLine {
  return { id: row.seq, ...toHashedLine(row), hash: row.hash };
}

/** Returns what the hash of a row covers. */
export function toHashedLine(row: Omit<Selectable<AuditRow>, "seq" | "hash">): HashedLine {
  return {
    org_id: row.org_id,
    number: row.number,
    created_at: toIsoMoment(row.created_at),
    user_id: row.user_id,
    api_key_id: row.key_id,
    action: row.action,
    target: row.target,
    detail: readStoredJsonOr<HashedLine["detail"]>(row.detail, damaged, isPlainObject),
    previous_hash: row.previous_hash,
  };
}

const damaged = { damaged: "The detail is damaged in the server's database." };

/** Computes the hash of a line. */
export function hashAuditLine(line: HashedLine): string {
  const { org_id, number, created_at, user_id, api_key_id, action, target, detail } = line;
  const { previous_hash } = line;
  const who = { org_id, number, created_at, user_id, api_key_id };
  return hash("sha256", toCanonicalJson({ ...who, action, target, detail, previous_hash }));
}
