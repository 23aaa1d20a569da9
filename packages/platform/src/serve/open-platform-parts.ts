import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { newId } from "../new-id.ts";
import { createAudit } from "../operations/create-audit.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { openSecretBox } from "../secrets/open-secret-box.ts";
import { openStore } from "../store/open-store.ts";
import type { StoreLocation } from "../store/store.ts";
import { readSettings } from "./read-settings.ts";

/** Where a platform keeps what it knows. */
export interface PlatformPlace {
  /** The data directory: made if it is not there. */
  readonly directory: string;
  /** `postgres://…` instead of the SQLite file in the directory. */
  readonly database?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens what everything on the platform is made with. The store is to be closed at the end. */
export async function openPlatformParts(place: PlatformPlace): Promise<PlatformParts> {
  const directory = resolve(place.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Secrets are in it, and sockets nobody else has to see.
  chmodSync(directory, 0o700);
  const settings = readSettings(directory);
  const secrets = openSecretBox({ directory, environment: place.environment });
  const store = await openStore(locateStore(directory, place.database));
  const parts = { store, settings, secrets, processId: newId(), now: Date.now };
  return { ...parts, audit: createAudit(parts) };
}

function locateStore(directory: string, database: string | undefined): StoreLocation {
  if (database === undefined) return { kind: "sqlite", path: join(directory, "haft.db") };
  if (/^postgres(?:ql)?:\/\//u.test(database)) return { kind: "postgres", url: database };
  throw new Error("--database takes the URL of a PostgreSQL database: postgres://user@host/name");
}
