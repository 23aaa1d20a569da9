import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { newId } from "../new-id.ts";
import { createAudit } from "../operations/audit.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { openStoreSecretBox } from "../secrets/open-store-secret-box.ts";
import { explainOpenFailure } from "../store/explain-open-failure.ts";
import { openStore } from "../store/open-store.ts";
import type { StoreLocation } from "../store/store.ts";
import {
  findEmptyRefusal,
  requireDatabaseFile,
  requireSameStore,
} from "../store/store-identity.ts";
import { readSettings } from "./read-settings.ts";

/** Where a platform stores its data. */
export interface PlatformStorageOptions {
  /** The data directory. It is created if it is missing. */
  readonly directory: string;
  /** A `postgres://…` URL. Default: a SQLite file in the directory. */
  readonly database?: string | undefined;
  /** Environment variables, such as `HAFT_MASTER_KEY`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the current time in milliseconds. Default: the clock of the system. */
  now?(): number;
}

/** Opens the dependencies that the platform's services share. Close the store at the end. */
export async function openPlatformParts(options: PlatformStorageOptions): Promise<PlatformParts> {
  const directory = prepareDirectory(options.directory);
  const settings = readSettings(directory);
  const location = locateStore(directory, options.database);
  const refuseEmpty = findEmptyRefusal(directory, location);
  if (location.kind === "sqlite") requireDatabaseFile(location.path, refuseEmpty);
  const store = await openStore(location, { refuseEmpty });
  try {
    await requireSameStore(store, directory);
    const { environment } = options;
    const secrets = await openStoreSecretBox(store, { directory, environment });
    const parts = { store, settings, secrets, processId: newId(), now: options.now ?? Date.now };
    return { ...parts, audit: createAudit(parts) };
  } catch (error) {
    await store.close();
    // Statements prepared here may be the first writes.
    throw explainOpenFailure(error, location);
  }
}

/**
 * Creates the data directory if it is missing, accessible to its owner only. Returns its full path.
 */
export function prepareDirectory(path: string): string {
  const directory = resolve(path);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // It holds secrets and sockets.
    chmodSync(directory, 0o700);
  } catch (error) {
    throw new Error(
      `${directory} can't be used as the data directory (${(error as NodeJS.ErrnoException).code}). It must be a directory that belongs to the user that runs Haft. Change its owner, or choose another one with --data.`,
      { cause: error },
    );
  }
  return directory;
}

function locateStore(directory: string, database: string | undefined): StoreLocation {
  if (database === undefined) return { kind: "sqlite", path: join(directory, "haft.db") };
  if (/^postgres(?:ql)?:\/\//u.test(database)) return { kind: "postgres", url: database };
  throw new Error("--database must be a PostgreSQL URL, such as postgres://user@host/name");
}
