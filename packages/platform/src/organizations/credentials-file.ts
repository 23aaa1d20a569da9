import { join } from "node:path";
import { apiKeyPattern } from "../auth/api-key.ts";
import { idPattern } from "../new-id.ts";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "../secrets/private-file.ts";
import type { AdministratorAccess } from "./create-organization.ts";

/** What stands in `credentials.json`: where the server is, and how to get in. */
export interface Credentials extends AdministratorAccess {
  readonly url: string;
}

/** Where the credentials of a data directory are. */
export function credentialsPath(directory: string): string {
  return join(directory, "credentials.json");
}

/** Reads the credentials; `undefined` if they are not there. Throws if it is something else. */
export function readCredentials(directory: string): Credentials | undefined {
  const path = credentialsPath(directory);
  const file = readPrivateFile(path);
  if (file === undefined) return undefined;
  const credentials = fromText(file.text);
  if (credentials !== undefined) return credentials;
  throw new Error(`${path} is not what Haft wrote there. Move it away.`);
}

/** Writes the credentials where there are none; `false` if somebody was faster. */
export function createCredentials(directory: string, credentials: Credentials): boolean {
  return createPrivateFile(credentialsPath(directory), toText(credentials));
}

/** Writes the credentials atomically, unless the file has them already and is private. */
export function writeCredentials(directory: string, credentials: Credentials): void {
  const text = toText(credentials);
  const file = readPrivateFile(credentialsPath(directory));
  if (file?.text === text && file.isPrivate) return;
  replacePrivateFile(credentialsPath(directory), text);
}

function toText({ url, organization, user_id, api_key_id, api_key }: Credentials): string {
  return `${JSON.stringify({ url, organization, user_id, api_key_id, api_key }, null, 2)}\n`;
}

function fromText(text: string): Credentials | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { url, organization, user_id, api_key_id, api_key } = value as Partial<Credentials>;
  const isId = (id: unknown): boolean => typeof id === "string" && id.match(idPattern) !== null;
  const isWhole =
    [organization, user_id, api_key_id].every(isId) &&
    typeof url === "string" &&
    typeof api_key === "string" &&
    apiKeyPattern.test(api_key);
  return isWhole ? (value as Credentials) : undefined;
}
