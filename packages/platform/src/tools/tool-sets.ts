import type { Kysely, Selectable } from "kysely";
import { parseGrants } from "../auth/grants.ts";
import type { Principal } from "../auth/principal.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { newId } from "../new-id.ts";
import { requireMayWiden } from "../organizations/require-may-widen.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";
import type { Tables, ToolSetRow, ToolSetToolRow } from "../store/schema.ts";
import { toConstraint } from "../versions/constraint.ts";
import type { NewToolSet, ToolSet, ToolSetContent } from "./tool-set-schemas.ts";

/** An organization's tool sets. */
export interface ToolSets {
  create(principal: Principal, set: NewToolSet): Promise<ToolSet>;
  /** Replaces the content of a set. */
  replace(principal: Principal, name: string, content: ToolSetContent): Promise<ToolSet>;
  /** Not while a role or key names it. */
  delete(principal: Principal, name: string): Promise<void>;
  list(organization: string): Promise<readonly ToolSet[]>;
  /** Throws a `Problem` 404 if there is none of that name. */
  require(organization: string, name: string): Promise<ToolSet>;
}

/** Keeps tool sets. */
export function createToolSets(parts: Pick<PlatformParts, "store" | "audit" | "now">): ToolSets {
  const { store, audit } = parts;
  const { db } = store;
  return {
    create: async (principal, { name, ...content }) => {
      const { organization, userId } = principal;
      const tools = await prepareTools(db, principal, { name, content, before: [] });
      const now = parts.now();
      const set: ToolSetRow = {
        ...{ id: newId(now), org_id: organization, name, created_at: now, updated_at: now },
        ...{ creator_user_id: userId, updated_by_user_id: userId },
        instructions: content.instructions ?? "",
      };
      await db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("tool_sets")
          .values(set)
          .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) {
          throw new Problem(409, `There is a tool set ${name} already. Choose another name.`);
        }
        await write(transaction, set.id, tools);
        const detail = { name, tools: tools.map(({ tool_id }) => tool_id) };
        const entry = { action: "tool_set.create", target: set.id, detail };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
      return requireSet(db, organization, name);
    },

    replace: async (principal, name, content) => {
      const { organization, userId } = principal;
      const old = await requireSet(db, organization, name);
      const before = old.tools.map(({ tool_id }) => tool_id);
      const tools = await prepareTools(db, principal, { name, content, before });
      await db.transaction().execute(async (transaction) => {
        const set = await transaction
          .updateTable("tool_sets")
          .set({
            instructions: content.instructions ?? "",
            updated_at: parts.now(),
            updated_by_user_id: userId,
          })
          .where("id", "=", old.id)
          .returning("id")
          .executeTakeFirstOrThrow(() => noSuchSet(name));
        await write(transaction, set.id, tools);
        const detail = { name, tools: tools.map(({ tool_id }) => tool_id) };
        const entry = { action: "tool_set.modify", target: set.id, detail };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
      return requireSet(db, organization, name);
    },

    delete: async (principal, name) => {
      const { organization } = principal;
      await db.transaction().execute(async (transaction) => {
        const set = await transaction
          .deleteFrom("tool_sets")
          .where("org_id", "=", organization)
          .where("name", "=", name)
          .returning("id")
          .executeTakeFirstOrThrow(() => noSuchSet(name));
        await requireUnused(transaction, organization, name);
        await transaction.deleteFrom("tool_set_tools").where("set_id", "=", set.id).execute();
        const entry = { action: "tool_set.delete", target: set.id, detail: { name } };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
    },

    list: async (organization) => {
      const sets = await db
        .selectFrom("tool_sets")
        .selectAll()
        .where("org_id", "=", organization)
        .orderBy("name")
        .execute();
      return readSets(db, sets);
    },

    require: (organization, name) => requireSet(db, organization, name),
  };
}

type SetTool = Omit<ToolSetToolRow, "set_id">;

interface Filling {
  readonly name: string;
  readonly content: ToolSetContent;
  /** The tools that the set had. */
  readonly before: readonly string[];
}

/** Finds the tools of a set to be. Throws a `Problem` if they can't be in it together. */
async function prepareTools(
  db: Kysely<Tables>,
  principal: Principal,
  { name: setName, content, before }: Filling,
): Promise<readonly SetTool[]> {
  const rows: SetTool[] = [];
  const names = new Set<string>();
  for (const [position, given] of content.tools.entries()) {
    const version = given.version ?? "latest";
    toConstraint(version, ["body", "tools", String(position), "version"]);
    const tool = await requireNamedTool(db, principal.organization, given.tool_id);
    const name = given.name ?? tool.name;
    if (names.has(name)) {
      throw new Problem(
        400,
        `Two tools of the set have the name ${name}. Give one of them another name.`,
      );
    }
    names.add(name);
    const instructions = given.instructions ?? "";
    rows.push({ position, tool_id: tool.id, version, name: given.name ?? null, instructions });
  }
  const added = new Set(rows.map(({ tool_id }) => tool_id).filter((id) => !before.includes(id)));
  const scopes = [{ kind: "set", name: setName }] as const;
  await requireMayWiden(db, principal, { toolIds: [...added], scopes });
  return rows;
}

async function write(db: Kysely<Tables>, set_id: string, tools: readonly SetTool[]): Promise<void> {
  await db.deleteFrom("tool_set_tools").where("set_id", "=", set_id).execute();
  const rows = tools.map((tool) => ({ set_id, ...tool }));
  if (rows.length > 0) await db.insertInto("tool_set_tools").values(rows).execute();
}

/** Finds a tool by ID or name that is not deprecated. Throws a `Problem` 400. */
export function requireNamedTool(
  db: Kysely<Tables>,
  organization: string,
  idOrName: string,
): Promise<{ readonly id: string; readonly name: string }> {
  return db
    .selectFrom("tools")
    .select(["id", "name"])
    .where("org_id", "=", organization)
    .where("deprecated", "=", 0)
    .where((tool) => tool.or([tool("id", "=", idOrName), tool("name", "=", idOrName)]))
    .executeTakeFirstOrThrow(() => new Problem(400, `There is no tool ${toShownName(idOrName)}.`));
}

async function requireSet(
  db: Kysely<Tables>,
  organization: string,
  name: string,
): Promise<ToolSet> {
  const set = await db
    .selectFrom("tool_sets")
    .selectAll()
    .where("org_id", "=", organization)
    .where("name", "=", name)
    .executeTakeFirst();
  const [found] = await readSets(db, set === undefined ? [] : [set]);
  if (found === undefined) throw noSuchSet(name);
  return found;
}

async function readSets(
  db: Kysely<Tables>,
  sets: readonly Selectable<ToolSetRow>[],
): Promise<ToolSet[]> {
  if (sets.length === 0) return [];
  const ids = sets.map(({ id }) => id);
  const tools = await db
    .selectFrom("tool_set_tools")
    .innerJoin("tools", "tools.id", "tool_set_tools.tool_id")
    .selectAll("tool_set_tools")
    .select("tools.name as tool_name")
    .where("set_id", "in", ids)
    .orderBy("position")
    .execute();
  return sets.map(({ id, name, instructions, created_at, updated_at }) => ({
    ...{ id, name, instructions },
    tools: tools
      .filter(({ set_id }) => set_id === id)
      .map(({ set_id: _set, position: _position, ...tool }) => tool),
    created_at: toIsoMoment(created_at),
    updated_at: toIsoMoment(updated_at),
  }));
}

async function requireUnused(
  db: Kysely<Tables>,
  organization: string,
  name: string,
): Promise<void> {
  const names = (text: string): boolean =>
    parseGrants(text).limited.some(({ scope }) => scope.kind === "set" && scope.name === name);
  const roles = await db
    .selectFrom("roles")
    .select(["name", "permissions"])
    .where("org_id", "=", organization)
    .execute();
  const role = roles.find(({ permissions }) => names(permissions));
  const keys = await db
    .selectFrom("api_keys")
    .select(["key_id", "permissions"])
    .where("org_id", "=", organization)
    .where("permissions", "is not", null)
    .execute();
  const key = keys.find(({ permissions }) => names(permissions ?? "[]"));
  const user = role !== undefined ? `role ${role.name}` : key && `API key ${key.key_id}`;
  if (user === undefined) return;
  throw new Problem(409, `The tool set ${name} is in use by the ${user}. Delete that first.`);
}

/** Creates the error for an unknown set. */
export function noSuchSet(name: string): Problem {
  return new Problem(404, `There is no tool set ${toShownName(name)}.`);
}
