import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Io } from "../io.ts";

/** One platform of the user's configuration. */
export interface NamedEnvironment {
  readonly url: string;
  readonly api_key: string;
  readonly organization?: string;
}

/** The user's platforms by name. */
export type NamedEnvironments = Readonly<Record<string, NamedEnvironment>>;

/** Returns the path of the file with the user's platforms. */
export function locateEnvironments({ environment }: Pick<Io, "environment">): string {
  const config = environment.XDG_CONFIG_HOME;
  // The XDG specification says to ignore a relative path.
  const base =
    config && isAbsolute(config) ? config : join(environment.HOME || homedir(), ".config");
  return join(base, "haft", "environments.json");
}

/** Reads the user's platforms. Warns if other users can read the keys. */
export function readEnvironments(io: Io): NamedEnvironments {
  const path = locateEnvironments(io);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new Error(`${path} cannot be read: ${message}`);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    io.error(`haft: others can read the API keys in ${path}. Run: chmod 600 ${path}\n`);
  }
  const found = parse(text);
  if (found === undefined) {
    throw new Error(`${path} is damaged. Expected: {"NAME": {"url": "http://…", "api_key": "…"}}.`);
  }
  return found;
}

/** Writes the user's platforms, readable only by the user. */
export function saveEnvironments(environments: NamedEnvironments, io: Io): string {
  const path = locateEnvironments(io);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(environments, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return path;
}

function parse(text: string): NamedEnvironments | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.values(value).every(isEnvironment) ? (value as NamedEnvironments) : undefined;
  } catch {
    return undefined;
  }
}

function isEnvironment(value: unknown): boolean {
  const one = value as Partial<NamedEnvironment> | null;
  return (
    typeof one?.url === "string" &&
    typeof one.api_key === "string" &&
    ["string", "undefined"].includes(typeof one.organization)
  );
}
