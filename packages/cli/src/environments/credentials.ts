import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The credentials that the first start of a platform writes for commands. */
export interface Credentials {
  readonly url: string;
  readonly organization: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
}

/** Returns the path of a data directory's credentials. */
export function locateCredentials(directory: string): string {
  return join(directory, "credentials.json");
}

/** Reads a data directory's credentials; `undefined` if there are none. */
export function findCredentials(directory: string): Credentials | undefined {
  const path = locateCredentials(directory);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`${path} cannot be read: ${message}`);
  }
  const found = parse(text);
  if (typeof found?.url === "string" && typeof found.api_key === "string") {
    return found as Credentials;
  }
  throw new Error(`${path} is damaged: it has no url and api_key. Restart the platform.`);
}

/** Writes a data directory's credentials, readable only by the owner. */
export function saveCredentials(directory: string, credentials: Credentials): void {
  const path = locateCredentials(directory);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

function parse(text: string): Partial<Credentials> | null {
  try {
    return JSON.parse(text) as Partial<Credentials> | null;
  } catch {
    return null;
  }
}
