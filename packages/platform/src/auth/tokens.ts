import { hash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { PlatformParts } from "../platform-parts.ts";
import { openTokenSecret } from "./token-secret.ts";

/** The claims of a token. */
export interface TokenClaims {
  readonly organization: string;
  readonly userId: string;
  /** The API key of the sign-in. The token is valid only while this key is. */
  readonly keyId: string;
  readonly roleId: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** Signs and verifies tokens. */
export interface Tokens {
  sign(claims: TokenClaims): Promise<string>;
  /** Returns the claims of a token that was verified before and has not expired. */
  findVerified(token: string): TokenClaims | undefined;
  /** Returns `undefined` if the signature is wrong or the token has expired. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

const issuer = "haft";
const maxVerified = 10_000;

/** Creates tokens: JWTs, signed with a secret of this installation. */
export function createTokens(parts: Pick<PlatformParts, "store" | "secrets" | "now">): Tokens {
  const verified = new Map<string, TokenClaims>();
  const secret = createOnce(() => openTokenSecret(parts));
  const isCurrent = (claims: TokenClaims): boolean => claims.expiresAt > parts.now();
  return {
    sign: async (claims) =>
      new SignJWT({ org: claims.organization, key: claims.keyId, role: claims.roleId })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(claims.userId)
        .setIssuedAt(Math.floor(parts.now() / 1000))
        .setExpirationTime(Math.floor(claims.expiresAt / 1000))
        .sign(await secret()),
    findVerified: (token) => {
      const claims = verified.get(toDigest(token));
      return claims !== undefined && isCurrent(claims) ? claims : undefined;
    },
    verify: async (token) => {
      const claims = await readClaims(token, await secret());
      if (claims === undefined || !isCurrent(claims)) return undefined;
      if (verified.size >= maxVerified) verified.delete(verified.keys().next().value ?? "");
      verified.set(toDigest(token), claims);
      return claims;
    },
  };
}

async function readClaims(token: string, secret: Uint8Array): Promise<TokenClaims | undefined> {
  try {
    // The expiry is checked at every use, with the platform's clock.
    const currentDate = new Date(0);
    const options = { algorithms: ["HS256"], issuer, currentDate };
    const { payload } = await jwtVerify(token, secret, options);
    const { org, key, role, sub, exp } = payload;
    const texts = [org, key, role, sub];
    if (!texts.every((text) => typeof text === "string") || exp === undefined) return undefined;
    const [organization, keyId, roleId, userId] = texts as [string, string, string, string];
    return { organization, userId, keyId, roleId, expiresAt: exp * 1000 };
  } catch {
    return undefined;
  }
}

function toDigest(token: string): string {
  return hash("sha256", token, "base64url");
}

// A failure is not cached: the next caller tries again.
function createOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
