import type { Kysely } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { requireTool, type ToolPlace } from "../tools/require-tool.ts";
import { type SortOrder, toSortOrders } from "../tools/sort-order.ts";
import { compareNumbers, toConstraint, type VersionConstraint } from "./constraint.ts";
import { readVersionHeads, type VersionHead } from "./read-version-heads.ts";
import { toVersionInstance, type VersionInstance, type VersionUser } from "./version-instance.ts";

/** Which versions to list. */
export interface VersionQuery {
  readonly deprecated?: boolean | null | undefined;
  /** A constraint, under either name. */
  readonly versions?: string | null | undefined;
  readonly version_constraint?: string | null | undefined;
  readonly creator: readonly string[];
  readonly sort_by: readonly string[];
  readonly limit: number;
  readonly continuation_token: number;
}

/** A page of versions. */
export interface VersionPage {
  readonly tool_versions: readonly VersionInstance[];
  readonly has_more: boolean;
  /** Where the next page begins; `null` after the last. */
  readonly continuation_token: number | null;
  /** What filters can be given; on the first page only. */
  readonly filter_values: { readonly creators: readonly VersionUser[] } | null;
}

/**
 * Lists a tool's versions, unless asked otherwise in the order of their publication. Deprecated ones
 * are among them.
 */
export async function listVersions(
  { store: { db } }: Pick<PlatformParts, "store">,
  place: ToolPlace,
  query: VersionQuery,
): Promise<VersionPage> {
  const { organization, toolId } = place;
  const { limit, continuation_token: offset } = query;
  const constraints = toConstraints(query);
  const users = toUsers(query.creator, organization);
  const compare = toComparison(toSortOrders(query.sort_by, fields));
  await requireTool(db, place);
  const heads = await readVersionHeads(db, toolId);
  // First the constraints: `latest` is the latest of all, not of those that another filter leaves.
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

/** Nothing is no constraint. */
function toConstraints(
  query: Pick<VersionQuery, "versions" | "version_constraint">,
): readonly VersionConstraint[] {
  return (["versions", "version_constraint"] as const).flatMap((name) => {
    const text = query[name] ?? "";
    return text.trim() === "" ? [] : [toConstraint(text, ["query", name])];
  });
}

const creator = /^([a-f0-9]{24}),([a-f0-9]{24})$/;

/** The users of this organization among the creators; `undefined` if any will do. */
function toUsers(texts: readonly string[], organization: string): ReadonlySet<string> | undefined {
  if (texts.length === 0) return undefined;
  const users = texts.flatMap((text) => {
    const [, org, user] = creator.exec(text.trim()) ?? [];
    if (user !== undefined) return org === organization ? [user] : [];
    const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
    const msg = `${shown} names no creator. Write the ids of organization and user: org_id,user_id.`;
    throw new InvalidRequest([{ loc: ["query", "creator"], msg, type: "value_error" }]);
  });
  return new Set(users);
}

async function readVersions(
  db: Kysely<Tables>,
  heads: readonly VersionHead[],
): Promise<readonly VersionInstance[]> {
  if (heads.length === 0) return [];
  const ids = heads.map(({ id }) => id);
  const rows = await db.selectFrom("tool_versions").selectAll().where("id", "in", ids).execute();
  return rows
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map(toVersionInstance);
}

function toCreators(heads: readonly VersionHead[], organization: string): readonly VersionUser[] {
  const users = new Set(heads.map(({ creator_user_id }) => creator_user_id));
  return [...users].sort().map((user_id) => ({ user_id, user_org_id: organization }));
}
