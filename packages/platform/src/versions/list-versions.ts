import { clipText } from "@haft/contract/internal";
import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { requireTool, type ToolReference } from "../tools/require-tool.ts";
import { type SortOrder, toSortOrders } from "../tools/sort-order.ts";
import { compareNumbers, toConstraint, type VersionConstraint } from "./constraint.ts";
import { readVersionHeads, type VersionHead } from "./read-version-heads.ts";
import { toVersionInstance } from "./version-instance.ts";
import type {
  FilledVersionQuery,
  ToolVersion,
  VersionPage,
  VersionUser,
} from "./version-schemas.ts";

/** Lists a tool's versions, including deprecated ones. Default order: publication. */
export async function listVersions(
  { store: { db } }: Pick<PlatformParts, "store">,
  reference: ToolReference,
  query: FilledVersionQuery,
): Promise<VersionPage> {
  const { organization, toolId } = reference;
  const { limit, continuation_token: offset } = query;
  const constraints = toConstraints(query);
  const users = toUsers(query.creator, organization);
  const compare = toComparison(toSortOrders(query.sort_by, fields));
  await requireTool(db, reference);
  const heads = await readVersionHeads(db, toolId);
  // Constraints first: `latest` is the latest of all versions, not of those that other filters leave.
  const chosen = constraints
    .reduce((left, constraint) => constraint.select(left), heads)
    .filter(
      ({ deprecated, creator_user_id }) =>
        (typeof query.deprecated !== "boolean" || query.deprecated === (deprecated === 1)) &&
        (users === undefined || users.has(creator_user_id)),
    )
    .toSorted(compare);
  const page = chosen.slice(offset, offset + limit);
  const more = chosen.length > offset + limit;
  return {
    tool_versions: await readVersions(db, page),
    has_more: more,
    continuation_token: more ? offset + limit : null,
    filter_values: offset === 0 ? { creators: toCreators(heads, organization) } : null,
  };
}

const comparisons = {
  created_at: (one: VersionHead, other: VersionHead) => one.created_at - other.created_at,
  version: compareNumbers,
  "version.major": (one: VersionHead, other: VersionHead) => one.major - other.major,
  "version.minor": (one: VersionHead, other: VersionHead) => one.minor - other.minor,
  "version.patch": (one: VersionHead, other: VersionHead) => one.patch - other.patch,
  deprecated: (one: VersionHead, other: VersionHead) => one.deprecated - other.deprecated,
} as const;

type Field = keyof typeof comparisons;

const fields = Object.keys(comparisons) as Field[];

function toComparison(
  orders: readonly SortOrder<Field>[],
): (one: VersionHead, other: VersionHead) => number {
  return (one, other) => {
    for (const { field, direction } of orders) {
      const difference = comparisons[field](one, other);
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return one.sequence - other.sequence;
  };
}

/** Blank text is no constraint. */
function toConstraints(
  query: Pick<FilledVersionQuery, "versions" | "version_constraint">,
): readonly VersionConstraint[] {
  return (["versions", "version_constraint"] as const).flatMap((name) => {
    const text = query[name] ?? "";
    return text.trim() === "" ? [] : [toConstraint(text, ["query", name])];
  });
}

const creator = /^([a-f0-9]{24}),([a-f0-9]{24})$/;

/** Returns the users of this organization among the creators, or `undefined` for any creator. */
function toUsers(texts: readonly string[], organization: string): ReadonlySet<string> | undefined {
  if (texts.length === 0) return undefined;
  const users = texts.flatMap((text) => {
    const [, org, user] = creator.exec(text.trim()) ?? [];
    if (user !== undefined) return org === organization ? [user] : [];
    const shown = JSON.stringify(clipText(text, 61));
    const msg = `${shown} is not a creator. Write the ids of organization and user: org_id,user_id.`;
    throw new InvalidRequest([{ loc: ["query", "creator"], msg, type: "value_error" }]);
  });
  return new Set(users);
}

async function readVersions(
  db: Kysely<Tables>,
  heads: readonly VersionHead[],
): Promise<readonly ToolVersion[]> {
  if (heads.length === 0) return [];
  const ids = heads.map(({ id }) => id);
  const rows = await db.selectFrom("tool_versions").selectAll().where("id", "in", ids).execute();
  return rows
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map((row) =>
      toVersionInstance(
        row,
        heads.some(({ id, isLatest }) => isLatest && id === row.id),
      ),
    );
}

function toCreators(heads: readonly VersionHead[], organization: string): readonly VersionUser[] {
  const users = new Set(heads.map(({ creator_user_id }) => creator_user_id));
  return [...users].sort().map((user_id) => ({ user_id, user_org_id: organization }));
}
