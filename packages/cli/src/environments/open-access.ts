import { existsSync } from "node:fs";
import { join } from "node:path";
import { type PlatformClient, PlatformError } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { type AccessControl, clientAccess, storeAccess } from "./access-control.ts";
import { findCredentials } from "./credentials.ts";
import { findEnvironment, requireEnvironment } from "./find-environment.ts";
import type { OpenLocalPlatform } from "./local-platform.ts";
import { toClient } from "./open-client.ts";
import { optionText, optionTexts } from "./option-values.ts";
import { readStoreLocation } from "./store-options.ts";

/** Opens a platform's roles and keys: through its server if it responds, else its store. */
export async function openAccess(
  input: CommandInput,
  io: Io,
  openLocal: OpenLocalPlatform,
): Promise<AccessControl> {
  const client = await findServer(input, io);
  if (client !== undefined) return clientAccess(client);
  const location = readStoreLocation(input, io);
  const organization =
    optionText(input, "organization") ??
    (location.database === undefined
      ? findCredentials(location.directory)?.organization
      : undefined);
  return storeAccess(await openLocal(location), organization);
}

async function findServer(input: CommandInput, io: Io): Promise<PlatformClient | undefined> {
  if (optionText(input, "database") !== undefined) return undefined;
  const location = readStoreLocation(input, io);
  const hasStore = existsSync(join(location.directory, "haft.db"));
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
    // It is not running, or another program uses its port.
    if (PlatformError.isInstance(error)) return undefined;
    throw error;
  }
}
