import { administratorRole } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";

/**
 * Who works on the store itself, not through the API, such as by a command on the data directory:
 * an organization's administrator, without a key. Without a name it is the only organization.
 */
export async function requireLocalPrincipal(
  { store }: Pick<PlatformParts, "store">,
  organizationIdOrName?: string,
): Promise<Principal> {
  const organization = await requireOrganization(store.db, organizationIdOrName);
  const user = await store.db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", organization)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirstOrThrow();
  return {
    organization,
    userId: user.id,
    keyId: "",
    role: administratorRole,
    may: () => true,
  };
}

async function requireOrganization(
  db: PlatformParts["store"]["db"],
  idOrName: string | undefined,
): Promise<string> {
  const all = await db.selectFrom("organizations").select(["id", "name"]).execute();
  const found =
    idOrName === undefined && all.length === 1
      ? all[0]
      : (all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName));
  if (found !== undefined) return found.id;
  const names = all.map(({ name }) => name).sort();
  if (names.length === 0) {
    throw new Problem(404, "There is no organization yet. Make one: haft org create NAME");
  }
  throw new Problem(
    404,
    idOrName === undefined
      ? `There are several organizations. Name one of them: ${names.join(", ")}.`
      : `There is no organization ${idOrName}. There are: ${names.join(", ")}.`,
  );
}
