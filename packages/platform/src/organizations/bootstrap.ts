import { rmSync } from "node:fs";
import { toKeyHash } from "../auth/api-key.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { insertOrganization, newAdministratorAccess } from "./create-organization.ts";
import {
  type Credentials,
  createCredentials,
  credentialsPath,
  readCredentials,
  writeCredentials,
} from "./credentials-file.ts";

/** What a start of the server has found or made. */
export interface Bootstrap {
  /** What `credentials.json` says; `undefined` if it is not there or of no use. */
  readonly credentials: Credentials | undefined;
  /** Whether the organization was made now. */
  readonly isFirst: boolean;
  /** What to do if there are no credentials. */
  readonly remedy?: string;
}

/** Where the data is, and where the server answers. */
export interface BootstrapOptions {
  readonly directory: string;
  readonly url: string;
}

const firstName = "default";

/**
 * Sees to it that there is an organization, and that `credentials.json` says how to get in. The file
 * is written before the organization: if we are interrupted between them the next start makes the
 * organization that the file speaks of, and of several processes all make the same.
 */
export async function bootstrap(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
  options: BootstrapOptions,
): Promise<Bootstrap> {
  if (await hasOrganization(parts)) return refresh(parts, options, false);
  const { directory, url } = options;
  const planned: Credentials = { url, ...newAdministratorAccess() };
  const isOurs = createCredentials(directory, planned);
  const credentials = isOurs ? planned : readCredentials(directory);
  if (credentials === undefined) {
    throw new Error(
      `${credentialsPath(directory)} was removed while Haft started. Start it again.`,
    );
  }
  const isFirst = await insertFirst(parts, credentials);
  if (isFirst) parts.store.touch();
  // A process with another data directory has made another organization.
  else if (isOurs && (await findKey(parts, credentials)) === undefined) {
    rmSync(credentialsPath(directory), { force: true });
  }
  return refresh(parts, options, isFirst);
}

async function refresh(
  parts: Pick<PlatformParts, "store" | "now">,
  { directory, url }: BootstrapOptions,
  isFirst: boolean,
): Promise<Bootstrap> {
  const path = credentialsPath(directory);
  const make = `Make a key: haft key create --data ${directory}`;
  const without = (remedy: string): Bootstrap => ({ credentials: undefined, isFirst, remedy });
  let found: Credentials | undefined;
  try {
    found = readCredentials(directory);
  } catch (error) {
    return without((error as Error).message);
  }
  if (found === undefined) return without(`${path} is not there. ${make}`);
  const key = await findKey(parts, found);
  if (key === undefined || key.expires_at <= parts.now()) {
    return without(`The key in ${path} is not valid here, or no longer. ${make}`);
  }
  const credentials = { ...found, url };
  writeCredentials(directory, credentials);
  return { credentials, isFirst };
}

async function hasOrganization({ store }: Pick<PlatformParts, "store">): Promise<boolean> {
  const found = await store.db.selectFrom("organizations").select("id").executeTakeFirst();
  return found !== undefined;
}

// Two that look at once both find none: then the name, of which there is only one, decides.
function insertFirst(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
  credentials: Credentials,
): Promise<boolean> {
  return parts.store.db.transaction().execute(async (transaction) => {
    const some = await transaction.selectFrom("organizations").select("id").executeTakeFirst();
    if (some !== undefined) return false;
    return insertOrganization(parts, transaction, { ...credentials, name: firstName });
  });
}

function findKey(
  { store }: Pick<PlatformParts, "store">,
  { organization, api_key_id, api_key }: Credentials,
): Promise<{ readonly expires_at: number } | undefined> {
  return store.db
    .selectFrom("api_keys")
    .select("expires_at")
    .where("org_id", "=", organization)
    .where("key_id", "=", api_key_id)
    .where("hash", "=", toKeyHash(api_key))
    .executeTakeFirst();
}
