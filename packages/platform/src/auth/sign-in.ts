import { timingSafeEqual } from "node:crypto";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { toKeyHash } from "./api-key.ts";
import { noSuchOrganization } from "./create-authenticator.ts";
import { findIdentity } from "./identity.ts";
import type { Tokens } from "./tokens.ts";

/** The credentials of a sign-in. */
export interface SignInRequest {
  readonly organization: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly userId: string;
}

/** A token and when it expires. */
export interface SignedIn {
  readonly token: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/**
 * Issues a token for an API key. Without a valid key the answer is the same 401 for every
 * organization, whether it exists or not. A key of another organization gives 404.
 */
export async function signIn(
  parts: Pick<PlatformParts, "store" | "settings" | "now">,
  tokens: Tokens,
  request: SignInRequest,
): Promise<SignedIn> {
  const identity = await findIdentity(parts.store.db, { keyId: request.keyId });
  const isKey = isSameHash(toKeyHash(request.apiKey), identity?.keyHash ?? noHash);
  const now = parts.now();
  if (identity === undefined || !isKey || identity.expiresAt <= now) throw refusal();
  const { principal, roleId } = identity;
  if (principal.userId !== request.userId) throw refusal();
  if (principal.organization !== request.organization) throw noSuchOrganization();
  const end = Math.min(now + parts.settings.tokenSeconds * 1000, identity.expiresAt);
  // Tokens count in seconds.
  const expiresAt = Math.floor(end / 1000) * 1000;
  const { organization, userId, keyId } = principal;
  const token = await tokens.sign({ organization, userId, keyId, roleId, expiresAt });
  return { token, expiresAt };
}

// Compared where there is no key, so that both cases take the same time.
const noHash = "0".repeat(64);

function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
}

function refusal(): Problem {
  return new Problem(
    401,
    "The API key, its id or the user is wrong, or the key has expired. Check x-api-key, x-api-key-id and x-user-id.",
    { "www-authenticate": "Bearer" },
  );
}
