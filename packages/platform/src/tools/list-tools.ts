import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { isAmong } from "../store/is-among.ts";
import type { Tables, ToolRow } from "../store/schema.ts";
import type { TagLister } from "./create-tag-lister.ts";
import { toSortOrders } from "./sort-order.ts";
import { type Tag, toTagFilter, type WantedValues } from "./tags.ts";
import type { FilledToolQuery, Tool, ToolPage } from "./tool-schemas.ts";

const fields = ["name", "deprecated", "created_at", "updated_at"] as const;

/** Whose tools are listed, and which of them the caller sees. Default: all. */
export interface ListedTools {
  readonly organization: string;
  readonly visible: ReadonlySet<string> | undefined;
}

/** Lists an organization's tools, including deprecated ones. Default order: creation. */
export async function listTools(
  { store, listTags }: Pick<PlatformParts, "store"> & { readonly listTags: TagLister },
  query: FilledToolQuery,
  { organization, visible }: ListedTools,
): Promise<ToolPage> {
  const { db, kind } = store;
  const { limit, continuation_token: offset } = query;
  let select = db.selectFrom("tools").selectAll().where("org_id", "=", organization);
  if (visible !== undefined) select = select.where(isAmong(store, "id", visible));
  if (query.id.length > 0) select = select.where("id", "in", query.id);
  if (query.name.length > 0) select = select.where("name", "in", query.name);
  if (typeof query.deprecated === "boolean") {
    select = select.where("deprecated", "=", query.deprecated ? 1 : 0);
  }
  for (const wanted of toTagFilter(query.tag)) {
    select = select.where((builder) => hasTag(builder, wanted));
  }
  const orders = toSortOrders(query.sort_by, fields);
  for (const { field, direction } of orders) {
    select = select.orderBy(field, (item) => {
      const directed = direction === "asc" ? item.asc() : item.desc();
      // The same order in every database, whatever language it was set up for.
      return field === "name" && kind === "postgres" ? directed.collate("C") : directed;
    });
  }
  if (orders.length === 0) select = select.orderBy("created_at");
  const rows = await select
    .orderBy("id")
    .limit(limit + 1)
    .offset(offset)
    .execute();
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return {
    tools: await addBelongings(db, page),
    has_more: more,
    continuation_token: more ? offset + limit : null,
    filter_values: offset === 0 ? { tags: await listTags(organization, visible) } : null,
  };
}

function hasTag(
  builder: ExpressionBuilder<Tables, "tools">,
  [key, values]: readonly [string, WantedValues],
): ReturnType<typeof builder.exists> {
  let tag = builder
    .selectFrom("tool_tags")
    .select("tool_tags.key")
    .whereRef("tool_tags.tool_id", "=", "tools.id")
    .where("tool_tags.key", "=", key);
  if (values !== "any") {
    tag = tag.where((each) =>
      each.or(
        values.map((value) =>
          value === null ? each("value", "is", null) : each("value", "=", value),
        ),
      ),
    );
  }
  return builder.exists(tag);
}

async function addBelongings(
  db: Kysely<Tables>,
  tools: readonly ToolRow[],
): Promise<readonly Tool[]> {
  if (tools.length === 0) return [];
  const ids = tools.map(({ id }) => id);
  const tags = await db
    .selectFrom("tool_tags")
    .select(["tool_id", "key", "value"])
    .where("tool_id", "in", ids)
    .execute();
  const variables = await db
    .selectFrom("tool_variables")
    .select(["tool_id", "name", "is_secret"])
    .where("tool_id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return tools.map((tool) => {
    const names = (secret: 0 | 1): string[] =>
      variables
        .filter((each) => each.tool_id === tool.id && each.is_secret === secret)
        .map(({ name }) => name)
        .sort();
    return toToolInstance(tool, {
      envvars: names(0),
      secret_envvars: names(1),
      tags: tags
        .filter((each) => each.tool_id === tool.id)
        .map(({ key, value }): Tag => ({ key, value }))
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    });
  });
}

/** Converts a row, with its variables and tags, to the API's form. */
function toToolInstance(
  tool: Selectable<ToolRow>,
  belongings: Pick<Tool, "envvars" | "secret_envvars" | "tags">,
): Tool {
  return {
    id: tool.id,
    org_id: tool.org_id,
    created_at: toIsoMoment(tool.created_at),
    updated_at: toIsoMoment(tool.updated_at),
    name: tool.name,
    description: tool.description,
    deprecated: tool.deprecated === 1,
    envvars: belongings.envvars,
    secret_envvars: belongings.secret_envvars,
    tags: belongings.tags,
    creator: { org_id: tool.org_id, user_id: tool.creator_user_id },
    updated_by: { org_id: tool.org_id, user_id: tool.updated_by_user_id },
  };
}
