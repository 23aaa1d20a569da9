import { hash, randomBytes } from "node:crypto";

const prefix = "haft_";

/** Generates an API key. It is shown once; only its hash is stored. */
export function newApiKey(): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** Returns the hash that is stored of an API key. A key is too random to be guessed from it. */
export function toKeyHash(apiKey: string): string {
  return hash("sha256", apiKey, "hex");
}

/** Returns whether a credential is an API key rather than a token. */
export function isApiKey(credential: string): boolean {
  return credential.startsWith(prefix);
}

/** The format of API keys. */
export const apiKeyPattern: RegExp = /^haft_[\w-]{43}$/;

const sessionPrefix = "hafts_";

/** Generates the token of a signed-in browser, or of a link that signs one in. Only its hash is stored. */
export function newSessionToken(): string {
  return sessionPrefix + randomBytes(32).toString("base64url");
}

/** Returns whether a credential is the token of a signed-in browser. */
export function isSessionToken(credential: string): boolean {
  return credential.startsWith(sessionPrefix);
}
