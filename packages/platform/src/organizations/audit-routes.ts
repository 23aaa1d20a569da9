import type { JsonSchema } from "@haft/contract";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import { toAuditLine } from "../operations/audit-line.ts";
import {
  type AuditQuery,
  exportAuditTrail,
  findLastAuditLine,
  readAuditTrail,
} from "./audit-trail.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { listOf, moment, objectOf, paramsOf, text } from "./route-schemas.ts";

const several: JsonSchema = { ...listOf(text), uniqueItems: true, maxItems: 100, default: [] };

const hash: JsonSchema = { anyOf: [text, { type: "null" }] };

const entry = objectOf({
  id: { type: "integer" },
  org_id: text,
  number: {
    anyOf: [{ type: "integer" }, { type: "null" }],
    description: "Position in the chain. Null for lines from before the chain began.",
  },
  created_at: moment,
  user_id: text,
  api_key_id: { anyOf: [text, { type: "null" }] },
  action: text,
  target: text,
  detail: { type: "object", additionalProperties: true },
  previous_hash: hash,
  hash,
});

const anchor = objectOf({
  organization: text,
  number: { type: "integer" },
  hash: text,
  at: moment,
});

const position: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
};

/** Who changed what, over HTTP. */
export function auditRoutes({ parts, readAnchors }: OrganizationServices): readonly AnyRoute[] {
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
            continuation_token: position,
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
            entries: entries.map(toAuditLine),
            has_more: next !== null,
            continuation_token: next,
          },
        };
      },
    }),
    defineRoute<unknown, { readonly after: number; readonly limit: number }>({
      method: "GET",
      url: "/v1/:organization/organization/audit/export",
      operationId: "export-audit",
      summary: "Exports the audit trail, oldest first, one line of JSON each.",
      permission: "Organization:GetAudit",
      schema: {
        params: paramsOf(),
        querystring: {
          type: "object",
          properties: {
            after: { ...position, description: "The `id` of the last line of the page before." },
            limit: { type: "integer", minimum: 1, maximum: 1_000, default: 1_000 },
          },
        },
        response: { 200: { type: "string", contentMediaType: "application/x-ndjson" } },
      },
      handle: async ({ principal: { organization }, query }) => {
        const lines = await exportAuditTrail(parts, { organization, ...query });
        return {
          status: 200,
          body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
          headers: { "content-type": "application/x-ndjson" },
        };
      },
    }),
    defineRoute({
      method: "GET",
      url: "/v1/:organization/organization/audit/anchors",
      operationId: "get-audit-anchors",
      summary:
        "Shows the last line of the audit trail, and the lines that were written down daily.",
      permission: "Organization:GetAudit",
      schema: {
        params: paramsOf(),
        response: {
          200: objectOf({
            anchors: listOf(anchor),
            last: { anyOf: [anchor, { type: "null" }] },
          }),
        },
      },
      handle: async ({ principal: { organization } }) => ({
        status: 200,
        body: {
          anchors: readAnchors(organization),
          last: await findLastAuditLine(parts, organization),
        },
      }),
    }),
  ];
}
