import type { Kysely } from "kysely";
import { createGenerationCache } from "../auth/generation-cache.ts";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { userVariableContext } from "../secrets/sealed-context.ts";
import type { Tables, UserVariableRow } from "../store/schema.ts";

/** What is to be changed, all of it or nothing. */
export interface UserVariableChanges {
  readonly upserts: readonly {
    readonly name: string;
    readonly value: string;
    readonly is_secret: boolean;
  }[];
  readonly deletes: readonly { readonly name: string }[];
}

/** What a user's variables hold, in clear. */
export interface OpenedUserVariables {
  readonly plain: Readonly<Record<string, string>>;
  readonly sensitive: Readonly<Record<string, string>>;
}

/** The variables on users' profiles. */
export interface UserVariables {
  modify(principal: Principal, userId: string, changes: UserVariableChanges): Promise<void>;
  /** For who invokes a tool. Answers at once where it can; nothing for who does not exist. */
  read(organization: string, userId: string): OpenedUserVariables | Promise<OpenedUserVariables>;
}

const maxVariables = 100;
const maxUsers = 1_000;

/** Keeps users' variables, sealed. */
export function createUserVariables(
  parts: Pick<PlatformParts, "store" | "secrets" | "audit" | "now">,
): UserVariables {
  const { store, secrets, audit } = parts;
  const opened = createGenerationCache<OpenedUserVariables>(store, maxUsers);
  return {
    modify: async (principal, userId, changes) => {
      requireOnce(changes);
      const { organization } = principal;
      const rows = changes.upserts.map(({ name, value, is_secret }) => ({
        org_id: organization,
        user_id: userId,
        name,
        is_secret: is_secret ? (1 as const) : (0 as const),
        value: secrets.seal(value, userVariableContext(organization, userId, name)),
        updated_at: parts.now(),
      }));
      await store.db.transaction().execute(async (transaction) => {
        const user = { organization, userId };
        await requireUser(transaction, user, store.kind === "postgres");
        for (const { name } of changes.deletes) await deleteVariable(transaction, user, name);
        for (const row of rows) await upsert(transaction, row);
        await requireNotTooMany(transaction, user);
        const detail = {
          upserts: changes.upserts.map(({ name }) => name),
          deletes: changes.deletes.map(({ name }) => name),
        };
        const entry = { action: "user_variables.modify", target: userId, detail };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
    },

    read: (organization, userId) => {
      const key = `${organization} ${userId}`;
      const known = opened.find(key);
      if (known !== undefined) return known;
      return opened
        .load(key, () => readAll(parts, organization, userId))
        .then((found) => found ?? { plain: {}, sensitive: {} });
    },
  };
}

interface User {
  readonly organization: string;
  readonly userId: string;
}

async function readAll(
  { store, secrets }: Pick<PlatformParts, "store" | "secrets">,
  organization: string,
  userId: string,
): Promise<OpenedUserVariables> {
  const rows = await store.db
    .selectFrom("user_variables")
    .selectAll()
    .where("org_id", "=", organization)
    .where("user_id", "=", userId)
    .execute();
  const open = (isSecret: 0 | 1): Readonly<Record<string, string>> =>
    Object.fromEntries(
      rows
        .filter((row) => row.is_secret === isSecret)
        .map(({ name, value }) => [
          name,
          secrets.open(value, userVariableContext(organization, userId, name)),
        ]),
    );
  return { plain: open(0), sensitive: open(1) };
}

// Who changes a user's variables holds the user until it is done, so that two don't mix.
async function requireUser(
  db: Kysely<Tables>,
  { organization, userId }: User,
  isLocked: boolean,
): Promise<void> {
  await db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", organization)
    .where("id", "=", userId)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirstOrThrow(() => new Problem(404, "There is no such user."));
}

async function upsert(db: Kysely<Tables>, row: UserVariableRow): Promise<void> {
  const { is_secret, value, updated_at } = row;
  await db
    .insertInto("user_variables")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "user_id", "name"]).doUpdateSet({ is_secret, value, updated_at }),
    )
    .execute();
}

async function deleteVariable(
  db: Kysely<Tables>,
  { organization, userId }: User,
  name: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("user_variables")
    .where("org_id", "=", organization)
    .where("user_id", "=", userId)
    .where("name", "=", name)
    .executeTakeFirst();
  if (numDeletedRows !== 1n) {
    throw new Problem(400, `The user has no variable ${name} to delete. Nothing was changed.`);
  }
}

async function requireNotTooMany(
  db: Kysely<Tables>,
  { organization, userId }: User,
): Promise<void> {
  const { count } = await db
    .selectFrom("user_variables")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (count <= maxVariables) return;
  throw new Problem(
    400,
    `A user can have ${maxVariables} variables; this makes ${count}. Nothing was changed.`,
  );
}

function requireOnce({ upserts, deletes }: UserVariableChanges): void {
  const seen = new Set<string>();
  for (const { name } of [...upserts, ...deletes]) {
    if (seen.has(name)) {
      throw new Problem(400, `The variable ${name} is named twice. Name each variable once.`);
    }
    seen.add(name);
  }
}
