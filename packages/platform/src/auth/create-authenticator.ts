import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { isApiKey, isSessionToken, toKeyHash } from "./api-key.ts";
import type { Authenticator } from "./authenticator.ts";
import { type Credential, fromAuthorization } from "./credential.ts";
import { createGenerationCache } from "./generation-cache.ts";
import { findIdentity, findSessionIdentity, type Identity } from "./identity.ts";
import type { Principal } from "./principal.ts";
import { createTokens, type TokenClaims, type Tokens } from "./tokens.ts";

/** An authenticator that also finds the organization of a credential. */
export interface IdentifyingAuthenticator extends Authenticator {
  /** Returns the caller, of any organization. Throws a `Problem` 401 if the credential is not valid. */
  identify(authorization: string | undefined): Promise<Principal>;
}

const maxIdentities = 10_000;

/** Creates an authenticator. It answers from memory while nothing changes in the store. */
export function createAuthenticator(
  parts: Pick<PlatformParts, "store" | "secrets" | "now">,
  tokens: Tokens = createTokens(parts),
): IdentifyingAuthenticator {
  const { store } = parts;
  const identities = createGenerationCache<Identity>(store, maxIdentities);

  const find = (header: string | undefined): Principal | Promise<Principal> => {
    const credential = fromAuthorization(header);
    if (credential === undefined) throw header === undefined ? missing() : invalid();
    const { secret } = credential;
    if (isApiKey(secret) || isSessionToken(secret)) {
      const hash = toKeyHash(secret);
      const known = identities.find(hash);
      if (known !== undefined) return requireValid(known, credential);
      return identities
        .load(hash, () =>
          isApiKey(secret) ? findIdentity(store.db, { hash }) : findSessionIdentity(store.db, hash),
        )
        .then((identity) => requireValid(identity, credential));
    }
    const claims = tokens.findVerified(secret);
    if (claims !== undefined) return findByToken(claims, credential);
    return tokens.verify(secret).then((verified) => {
      if (verified === undefined) throw invalid();
      return findByToken(verified, credential);
    });
  };

  const findByToken = (
    claims: TokenClaims,
    credential: Credential,
  ): Principal | Promise<Principal> => {
    const { keyId } = claims;
    const known = identities.find(keyId);
    if (known !== undefined) return requireValid(known, credential, claims);
    return identities
      .load(keyId, () => findIdentity(store.db, { keyId }))
      .then((identity) => requireValid(identity, credential, claims));
  };

  const requireValid = (
    identity: Identity | undefined,
    { claim }: Credential,
    token?: TokenClaims,
  ): Principal => {
    if (identity === undefined || identity.expiresAt <= parts.now()) throw invalid();
    const { principal, roleId } = identity;
    if (claim !== undefined && !isSameUser(claim, principal)) throw invalid();
    // A token is valid only with the key and the role that it was issued for.
    if (token !== undefined && !(isSameUser(token, principal) && token.roleId === roleId)) {
      throw invalid();
    }
    return principal;
  };

  return {
    authenticate: (authorization, organization) => {
      const found = find(authorization);
      return found instanceof Promise
        ? found.then((principal) => requireOrganization(principal, organization))
        : requireOrganization(found, organization);
    },
    identify: async (authorization) => find(authorization),
  };
}

/** The response for an organization that the credential does not belong to, existing or not. */
export function noSuchOrganization(): Problem {
  return new Problem(404, "There is no such organization.");
}

function requireOrganization(principal: Principal, organization: string): Principal {
  if (principal.organization !== organization) throw noSuchOrganization();
  return principal;
}

function isSameUser(
  one: { readonly organization: string; readonly userId: string },
  other: Principal,
): boolean {
  return one.organization === other.organization && one.userId === other.userId;
}

const challenge = { "www-authenticate": "Bearer" };

function missing(): Problem {
  return new Problem(
    401,
    "A credential is required. Send `Authorization: Bearer` with an API key or the token of a sign-in.",
    challenge,
  );
}

function invalid(): Problem {
  return new Problem(
    401,
    "The credential is not valid: it is unknown, has expired or was deleted. Sign in again, or use another API key.",
    challenge,
  );
}
