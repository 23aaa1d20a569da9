import type { Selectable } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { AuditAnchor } from "../operations/audit-check.ts";
import { type AuditLine, toAuditLine } from "../operations/audit-line.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { AuditRow } from "../store/schema.ts";

/** Which entries somebody wants to see. Empty filters let everything through. */
export interface AuditQuery {
  readonly action: readonly string[];
  readonly target: readonly string[];
  readonly user_id: readonly string[];
  readonly limit: number;
  /** Where the page before ended; 0 at the beginning. */
  readonly continuation_token: number;
}

/** Some entries, newest first. */
export interface AuditPage {
  readonly entries: readonly Selectable<AuditRow>[];
  /** For the next page; `null` if there is none. */
  readonly next: number | null;
}

/** Reads an organization's audit trail. */
export async function readAuditTrail(
  { store }: Pick<PlatformParts, "store">,
  { organization }: Principal,
  query: AuditQuery,
): Promise<AuditPage> {
  const { action, target, user_id, limit, continuation_token: before } = query;
  const rows = await store.db
    .selectFrom("audit")
    .selectAll()
    .where("org_id", "=", organization)
    .$if(before > 0, (each) => each.where("seq", "<", before))
    .$if(action.length > 0, (each) => each.where("action", "in", action))
    .$if(target.length > 0, (each) => each.where("target", "in", target))
    .$if(user_id.length > 0, (each) => each.where("user_id", "in", user_id))
    .orderBy("seq", "desc")
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: rows.length > limit && last !== undefined ? last.seq : null };
}

/** Reads the audit trail of an organization in its order, from behind a line. */
export async function exportAuditTrail(
  { store }: Pick<PlatformParts, "store">,
  page: { readonly organization: string; readonly after: number; readonly limit: number },
): Promise<readonly AuditLine[]> {
  const rows = await store.db
    .selectFrom("audit")
    .selectAll()
    .where("org_id", "=", page.organization)
    .where("seq", ">", page.after)
    .orderBy("seq")
    .limit(page.limit)
    .execute();
  return rows.map(toAuditLine);
}

/** Returns the last line of an organization's chain as an anchor of now. */
export async function findLastAuditLine(
  { store, now }: Pick<PlatformParts, "store" | "now">,
  organization: string,
): Promise<AuditAnchor | null> {
  const chain = await store.db
    .selectFrom("audit_chains")
    .selectAll()
    .where("org_id", "=", organization)
    .executeTakeFirst();
  if (chain === undefined || chain.hash === null) return null;
  return { organization, number: chain.number, hash: chain.hash, at: toIsoMoment(now()) };
}
