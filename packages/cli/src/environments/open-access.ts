import { existsSync } from "node:fs";
import { join } from "node:path";
import { type PlatformClient, PlatformError } from "@haft/platform/client";
import type { CommandInput, OptionTable } from "../command.ts";
import type { Io } from "../io.ts";
import { type AccessControl, clientAccess, storeAccess } from "./access-control.ts";
import { findCredentials } from "./credentials.ts";
import { findEnvironment, requireEnvironment } from "./find-environment.ts";
import type { OpenLocalPlatform } from "./local-platform.ts";
import { toClient } from "./open-client.ts";
import { optionText, optionTexts } from "./option-values.ts";
import { readStorePlace } from "./store-options.ts";

/** The options of commands about roles and keys. */
export const accessOptions: OptionTable = {
  env: { type: "string", short: "e", multiple: true },
  data: { type: "string" },
  database: { type: "string" },
  organization: { type: "string" },
  json: { type: "boolean" },
};

/** How `--help` describes them. */
export const accessHelp = `Which platform:
  -e, --env NAME        one that haft env add made known
      --data DIR        the one of this data directory; where it does not run, its store
      --database URL    the PostgreSQL database of one, without its server
      --organization O  in a store with several: which one, by id or name
                        Without any: HAFT_URL and HAFT_API_KEY, else HAFT_DATA, else the one that
                        haft serve starts here.
      --json            print JSON on standard output, and nothing else
  -h, --help            show this
`;

/** Opens a platform's roles and keys: its server where one answers, else its store. */
export async function openAccess(
  input: CommandInput,
  io: Io,
  openLocal: OpenLocalPlatform,
): Promise<AccessControl> {
  const client = await findServer(input, io);
  if (client !== undefined) return clientAccess(client);
  const place = readStorePlace(input, io);
  const organization =
    optionText(input, "organization") ??
    (place.database === undefined ? findCredentials(place.directory)?.organization : undefined);
  return storeAccess(await openLocal(place), organization);
}

async function findServer(input: CommandInput, io: Io): Promise<PlatformClient | undefined> {
  if (optionText(input, "database") !== undefined) return undefined;
  const place = readStorePlace(input, io);
  const hasStore = existsSync(join(place.directory, "haft.db"));
  const environment = hasStore ? findEnvironment(input, io) : requireEnvironment(input, io);
  if (environment === undefined) return undefined;
  const client = toClient(environment, io);
  const isOwn = optionTexts(input, "env").length === 0 && environment.source !== "HAFT_URL";
  if (!isOwn || !hasStore) return client;
  const wanted = optionText(input, "organization");
  if (wanted !== undefined && wanted !== environment.organization) return undefined;
  try {
    await client.whoami();
    return client;
  } catch (error) {
    // It does not run, or something else does there now.
    if (PlatformError.isInstance(error)) return undefined;
    throw error;
  }
}
