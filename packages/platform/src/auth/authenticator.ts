import type { Principal } from "./principal.ts";

/** Verifies credentials. */
export interface Authenticator {
  /**
   * Returns the caller for an `Authorization` header: `Bearer` with a signed token or an API key, or
   * `Basic` with `{organization}_{user}` and either. Throws a `Problem`: 401 if the credential is not
   * valid, 404 if it belongs to another organization. Returns synchronously if the caller is cached.
   */
  authenticate(
    authorization: string | undefined,
    organization: string,
  ): Principal | Promise<Principal>;
}
