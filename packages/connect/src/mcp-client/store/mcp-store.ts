import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile, replaceSmallFile } from "@haft/computer/internal";
import type { McpServerEntry } from "./mcp-server-entry.ts";
import { withLock } from "./with-lock.ts";

/** The MCP servers of one workspace. They are stored outside the workspace. */
export interface McpStore {
  readonly directory: string;
  /** Returns the servers sorted by name. Throws if the file can't be read. */
  list(): readonly McpServerEntry[];
  get(name: string): McpServerEntry | undefined;
  put(entry: McpServerEntry): void;
  /** Changes a server if it still exists. Safe with several processes. */
  update(name: string, change: (entry: McpServerEntry) => McpServerEntry): void;
  /** Removes a server and its credentials. Returns whether it existed. */
  remove(name: string): boolean;
  /** Returns the secrets shared with a server, such as tokens. */
  readCredentials(name: string): Credentials;
  updateCredentials(name: string, change: (credentials: Credentials) => Credentials): void;
  /** Creates and returns the home directory of a server's program. */
  homeOf(name: string): string;
  /** Deletes the home directory of a server's program, with what it downloaded. */
  clearHome(name: string): void;
}

/** Secrets by name, as JSON. */
export type Credentials = Readonly<Record<string, unknown>>;

interface StoredFile {
  readonly version: 1;
  readonly servers: Readonly<Record<string, McpServerEntry>>;
}

/** Opens the store in a directory, which is created when something is first stored. */
export function openMcpStore(directory: string): McpStore {
  const file = join(directory, "servers.json");
  const secrets = join(directory, "credentials.json");
  const lock = join(directory, ".lock");
  let read: { readonly stamp: string; readonly servers: StoredFile["servers"] } | undefined;

  const load = (): StoredFile["servers"] => {
    const stamp = stampOf(file);
    if (read === undefined || read.stamp !== stamp) read = { stamp, servers: readServers(file) };
    return read.servers;
  };
  const save = (servers: StoredFile["servers"]): void => {
    replaceSmallFile(file, `${JSON.stringify({ version: 1, servers } satisfies StoredFile)}\n`);
    read = undefined;
  };
  const changing = <T>(change: () => T): T => {
    makePrivateDirectory(directory);
    return withLock(lock, change);
  };
  const updateSecrets = (change: (all: Record<string, Credentials>) => void): void => {
    const all = { ...readSecrets(secrets) };
    change(all);
    replaceSmallFile(secrets, `${JSON.stringify(all)}\n`);
  };

  const clearHome = (name: string): void =>
    rmSync(homeIn(directory, name), { recursive: true, force: true });

  return {
    directory,
    clearHome,
    list: () => Object.values(load()).sort((a, b) => (a.name < b.name ? -1 : 1)),
    get: (name) => (Object.hasOwn(load(), name) ? load()[name] : undefined),
    put: (entry) => changing(() => save({ ...load(), [entry.name]: entry })),
    update: (name, change) =>
      changing(() => {
        const servers = load();
        const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
        if (entry === undefined) return;
        const changed = change(entry);
        if (changed !== entry) save({ ...servers, [name]: changed });
      }),
    remove: (name) => {
      if (!Object.hasOwn(load(), name)) return false;
      changing(() => {
        const { [name]: _, ...others } = load();
        save(others);
        if (readSmallFile(secrets) !== undefined) updateSecrets((all) => delete all[name]);
        clearHome(name);
      });
      return true;
    },
    readCredentials: (name) => {
      const all = readSecrets(secrets);
      return (Object.hasOwn(all, name) ? all[name] : undefined) ?? {};
    },
    updateCredentials: (name, change) =>
      changing(() =>
        updateSecrets((all) => {
          all[name] = change((Object.hasOwn(all, name) ? all[name] : undefined) ?? {});
        }),
      ),
    homeOf: (name) => {
      const home = homeIn(directory, name);
      makePrivateDirectory(home);
      return home;
    },
  };
}

function homeIn(directory: string, name: string): string {
  return join(directory, "homes", name);
}

function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino}:${found.mtimeNs}:${found.size}`;
}

function readServers(file: string): StoredFile["servers"] {
  const text = readSmallFile(file);
  if (text === undefined) return {};
  const { version, servers } = parse<Partial<StoredFile>>(text, file);
  if (version === 1 && typeof servers === "object" && servers !== null) return servers;
  throw new Error(`${file} is not a list of MCP servers. Delete it and add the servers again.`);
}

function readSecrets(file: string): Readonly<Record<string, Credentials>> {
  const text = readSmallFile(file);
  return text === undefined ? {} : parse(text, file);
}

function parse<T>(text: string, file: string): T {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return parsed as T;
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is not valid JSON. Delete it and add the servers again.`);
}

/** Creates a directory and its parents, accessible only to their owner. */
function makePrivateDirectory(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) chmodSync(path, 0o700);
}
