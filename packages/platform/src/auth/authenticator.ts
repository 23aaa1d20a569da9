import type { Principal } from "./principal.ts";

/** Knows who brings a credential. */
export interface Authenticator {
  /**
   * `authorization` is the header: `Bearer` with a signed token or an API key, or `Basic` with
   * `{organization}_{user}` and either. Throws a `Problem`: 401 if it says nobody, 404 if it belongs
   * to another organization. Answers at once where it can.
   */
  authenticate(
    authorization: string | undefined,
    organization: string,
  ): Principal | Promise<Principal>;
}
