import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { toErrorMessage } from "@haft/contract/internal";
import type { StoreLocation } from "./store.ts";
import { findStoreFailure } from "./store-failure.ts";

/**
 * Returns the error for an operator when a store can't be opened: the reason, the database's message
 * and what to do. It never contains a password. Other errors are returned unchanged.
 */
export function explainOpenFailure(error: unknown, location: StoreLocation): unknown {
  const sentence =
    location.kind === "sqlite"
      ? explainSqlite(error, location.path)
      : explainPostgres(error, describeDatabase(location.url));
  // Without its cause, which may contain the whole address.
  return sentence === undefined ? error : new Error(sentence);
}

/** Returns the address of a database without its password. */
export function describeDatabase(url: string): string {
  try {
    const { hostname, port, pathname, username } = new URL(url);
    const user = username === "" ? "" : `${decodeURIComponent(username)}@`;
    return `${user}${hostname || "localhost"}:${port || "5432"}${pathname}`;
  } catch {
    return "the address given";
  }
}

function explainSqlite(error: unknown, path: string): string | undefined {
  const failure = findStoreFailure(error);
  if (failure === undefined) return undefined;
  const said = `SQLite says: ${toErrorMessage(failure.cause ?? error)}`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    return `${path} is a directory, not a database. Move it away, or name another directory with --data.`;
  }
  const restore = `Restore a backup (haft restore FILE --data DIR --force)`;
  switch (failure.reason) {
    case "damaged":
      return `${path} is damaged or is not a database (${said}). ${restore}, or save what can be read: sqlite3 ${path} .recover | sqlite3 recovered.db`;
    case "full":
      return `The disk that holds ${path} is full (${said}). Free space, then start Haft again.`;
    case "locked":
      return `Another process keeps ${path} locked (${said}). End it, or its transaction, then start Haft again.`;
    default:
      return `${path} can't be opened for writing (${said}). ${describeOwner(stats)} Make the file, ${path}-wal, ${path}-shm and ${dirname(path)} writable for the user that runs Haft.`;
  }
}

function describeOwner(stats: Stats | undefined): string {
  const user = process.getuid?.();
  if (stats === undefined) return "It does not exist and can't be created.";
  const mode = (stats.mode & 0o777).toString(8);
  return `It belongs to user ${stats.uid} with mode ${mode}; Haft runs as user ${user ?? "unknown"}.`;
}

const again = "then start Haft again";

function explainPostgres(error: unknown, address: string): string | undefined {
  const { code } = error as { readonly code?: unknown };
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code: causeCode = code } = cause as { readonly code?: unknown };
  const said = `PostgreSQL says: ${toErrorMessage(cause)}`;
  switch (causeCode) {
    case "28P01":
    case "28000":
      return `PostgreSQL refuses the sign-in to ${address} (${said}). Correct the user and password in --database, or pg_hba.conf, ${again}.`;
    case "3D000":
      return `The database of ${address} does not exist (${said}). Create it with createdb, or correct the name in --database, ${again}.`;
    case "42501":
      return `The user of ${address} may not create or change tables (${said}). As its owner run: GRANT CREATE, USAGE ON SCHEMA public TO the user, ${again}.`;
    case "57P03":
      return `PostgreSQL at ${address} is starting up or shutting down (${said}). Wait until it accepts connections, ${again}.`;
    case "53300":
      return `PostgreSQL at ${address} has no connection left (${said}). Raise max_connections or end other clients, ${again}.`;
    case "25006":
      return `The database at ${address} is read-only (${said}). Use the primary server, or set default_transaction_read_only to off, ${again}.`;
    case "42P07":
      return `The database at ${address} has tables of another application (${said}). Give Haft a database of its own.`;
    case "ECONNREFUSED":
    case "ENOENT":
      return `Nothing answers at ${address} (${causeCode}). Start PostgreSQL or correct the host and port in --database, ${again}.`;
    case "ERR_INVALID_URL":
      return "The address in --database can't be read. Write postgres://user:password@host:port/name, with special characters as %XX.";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host of ${address} is not known (${causeCode}). Correct it in --database, ${again}.`;
    default:
      return findStoreFailure(cause) === undefined
        ? undefined
        : `The database at ${address} can't be used (${said}). Check that it runs and that --database is right, ${again}.`;
  }
}
