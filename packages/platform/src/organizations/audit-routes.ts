import type { JsonSchema } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { Selectable } from "kysely";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { AuditRow } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import { type AuditQuery, readAuditTrail } from "./audit-trail.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { listOf, moment, objectOf, paramsOf, text } from "./route-schemas.ts";

const several: JsonSchema = { ...listOf(text), uniqueItems: true, maxItems: 100, default: [] };

const entry = objectOf({
  id: { type: "integer" },
  org_id: text,
  user_id: text,
  api_key_id: { anyOf: [text, { type: "null" }] },
  action: text,
  target: text,
  detail: { type: "object", additionalProperties: true },
  created_at: moment,
});

/** Who changed what, over HTTP. */
export function auditRoutes({ parts }: OrganizationServices): readonly AnyRoute[] {
  return [
    defineRoute<unknown, AuditQuery>({
      method: "GET",
      url: "/v1/:organization/organization/audit",
      operationId: "get-audit",
      summary: "List who changed what, newest first.",
      permission: "Organization:GetAudit",
      schema: {
        params: paramsOf(),
        querystring: {
          type: "object",
          properties: {
            action: several,
            target: several,
            user_id: several,
            limit: { type: "integer", minimum: 1, maximum: 100, default: 100 },
            continuation_token: {
              type: "integer",
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              default: 0,
            },
          },
        },
        response: {
          200: objectOf({
            entries: listOf(entry),
            has_more: { type: "boolean" },
            continuation_token: { anyOf: [{ type: "integer" }, { type: "null" }] },
          }),
        },
      },
      handle: async ({ principal, query }) => {
        const { entries, next } = await readAuditTrail(parts, principal, query);
        return {
          status: 200,
          body: {
            entries: entries.map(toEntry),
            has_more: next !== null,
            continuation_token: next,
          },
        };
      },
    }),
  ];
}

function toEntry(row: Selectable<AuditRow>): unknown {
  return {
    id: row.seq,
    org_id: row.org_id,
    user_id: row.user_id,
    api_key_id: row.key_id,
    action: row.action,
    target: row.target,
    detail: readStoredJsonOr<object>(row.detail, {}, isPlainObject),
    created_at: toIsoMoment(row.created_at),
  };
}
