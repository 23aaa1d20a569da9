import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools, mayOnTool } from "../auth/tool-access.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest } from "../problem.ts";
import { inboxAnswerContext } from "../secrets/sealed-context.ts";
import { isAmong } from "../store/is-among.ts";
import type { InboxItemRow } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { answerItem, noItem, requireItem } from "./answer-item.ts";
import {
  type FilledInboxQuery,
  type InboxItem,
  inboxAnswer,
  inboxItem,
  inboxPage,
  inboxParams,
  inboxQuery,
} from "./inbox-schemas.ts";
import type { GivenAnswer, SessionItems } from "./session-items.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "audit" | "settings" | "now">;

interface AnswerBody extends GivenAnswer {
  readonly on_behalf_of?: string;
}

/** What the inbox works with. */
export interface InboxNeighbours {
  /** Called when an invocation can continue. */
  onAnswer(): void;
  /** The calls of sessions on this machine. Default: they are not shown. */
  readonly sessions?: SessionItems | undefined;
}

/** The API's routes for the inbox. */
export function inboxRoutes(
  parts: Parts,
  { onAnswer, sessions }: InboxNeighbours,
): readonly AnyRoute[] {
  const { store, secrets } = parts;
  const toItem = (row: InboxItemRow): InboxItem => ({
    ...{ id: row.id, kind: row.kind, state: row.state, user_id: row.user_id },
    source: { type: row.source_type, id: row.source_id },
    ...{ tool_id: row.tool_id, tool_name: row.tool_name, tool_version: row.tool_version },
    arguments: readStoredJsonOr<InboxItem["arguments"]>(row.arguments, null, () => true),
    question: row.question,
    schema: readStoredJsonOr<InboxItem["schema"]>(row.schema ?? "null", null, () => true),
    answerers: readStoredJsonOr<string[] | null>(row.answerers ?? "null", null, isTextList),
    created_at: toIsoMoment(row.created_at),
    deadline_at: toIsoMoment(row.deadline_at),
    answered_at: row.answered_at === null ? null : toIsoMoment(row.answered_at),
    answered_by: row.answered_by,
    ...{ answered_via: row.answered_via, on_behalf_of: row.on_behalf_of },
    answer:
      row.answer === ""
        ? null
        : (JSON.parse(
            secrets.open(row.answer, inboxAnswerContext(row.org_id, row.id)),
          ) as InboxItem["answer"]),
    call: null,
  });
  /** Finds an item of a tool that the caller has the permission on. Throws a `Problem` 404. */
  const find = async (
    principal: Principal,
    id: string,
    permission: Permission,
  ): Promise<InboxItemRow> => {
    const item = await requireItem(parts, principal, id);
    // Without a tool, it takes the permission for the whole organization.
    if (await mayOnTool(principal, permission, item.tool_id ?? "")) return item;
    throw noItem(id);
  };
  return [
    defineRoute<unknown, FilledInboxQuery>({
      method: "GET",
      url: "/v1/:organization/inbox",
      operationId: "get-inbox",
      summary: "Lists what people have to answer, the oldest first.",
      permission: "Inbox:GetItem",
      about: "tools",
      schema: { querystring: inboxQuery, response: { 200: inboxPage } },
      handle: async ({ principal, query }) => {
        const after = query.continuation_token;
        const allowed = await findAllowedTools(principal, ["Inbox:GetItem"]);
        const calls = after === undefined ? (sessions?.list(principal, query.state) ?? []) : [];
        const first = calls.slice(0, query.limit);
        const room = query.limit - first.length;
        const rows = await store.db
          .selectFrom("inbox_items")
          .selectAll()
          .where("org_id", "=", principal.organization)
          .where("state", "in", query.state.length === 0 ? ["waiting"] : query.state)
          .$if(allowed !== undefined, (each) =>
            each.where(isAmong(store, "tool_id", allowed as ReadonlySet<string>)),
          )
          .$if(after !== undefined, (each) => each.where("id", ">", after as string))
          .orderBy("id")
          .limit(room + 1)
          .execute();
        const items = [...first, ...rows.slice(0, room).map(toItem)];
        const hasMore = rows.length > room;
        const continuation_token = hasMore ? (rows[room - 1]?.id ?? beforeAll) : null;
        return { status: 200, body: { items, has_more: hasMore, continuation_token } };
      },
    }),
    defineRoute<unknown, unknown, { readonly item_id: string }>({
      method: "GET",
      url: "/v1/:organization/inbox/:item_id",
      operationId: "get-inbox-item",
      summary: "Shows one item of the inbox.",
      permission: "Inbox:GetItem",
      about: "tools",
      schema: { params: inboxParams, response: { 200: inboxItem } },
      handle: async ({ principal, params: { item_id: id } }) => {
        const call = sessions?.find(principal, id);
        const body = call ?? toItem(await find(principal, id, "Inbox:GetItem"));
        return { status: 200, body };
      },
    }),
    defineRoute<AnswerBody, unknown, { readonly item_id: string }>({
      method: "POST",
      url: "/v1/:organization/inbox/:item_id",
      operationId: "answer-inbox-item",
      summary: "Answers an item of the inbox. The first answer counts; others get 409.",
      permission: "Inbox:AnswerItem",
      about: "tools",
      schema: { params: inboxParams, body: inboxAnswer, response: { 200: inboxItem } },
      handle: async ({ principal, params, body }) => {
        if (sessions?.find(principal, params.item_id) !== undefined) {
          return { status: 200, body: await sessions.answer(principal, params.item_id, body) };
        }
        const item = await find(principal, params.item_id, "Inbox:AnswerItem");
        const { answer, rules, on_behalf_of: onBehalfOf = null } = body;
        if (rules !== undefined) {
          const msg = "Only answers to calls of sessions store rules.";
          throw new InvalidRequest([{ loc: ["body", "rules"], msg, type: "value_error" }]);
        }
        await answerItem(parts, principal, { item, answer, onBehalfOf });
        onAnswer();
        return { status: 200, body: toItem(await requireItem(parts, principal, item.id)) };
      },
    }),
  ];
}

// The token of a page that has only calls of sessions: smaller than every ID.
const beforeAll = "0".repeat(24);
