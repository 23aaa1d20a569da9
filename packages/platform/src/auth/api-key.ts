import { hash, randomBytes } from "node:crypto";

const prefix = "haft_";

/** Makes a new API key. It is shown once and kept nowhere. */
export function newApiKey(): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** What is kept of an API key. It is random enough that nobody can guess it from its hash. */
export function toKeyHash(apiKey: string): string {
  return hash("sha256", apiKey, "hex");
}

/** Whether a credential is an API key, and not a token. */
export function isApiKey(credential: string): boolean {
  return credential.startsWith(prefix);
}

/** What every API key looks like. */
export const apiKeyPattern: RegExp = /^haft_[\w-]{43}$/;
