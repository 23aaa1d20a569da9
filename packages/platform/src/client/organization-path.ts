import type { Requester } from "./requester.ts";
import type { Whoami } from "./wire-types.ts";

/** Knows which organization paths are about. */
export interface OrganizationPath {
  /** Of the key, asked for once. */
  whoami(signal?: AbortSignal): Promise<Whoami>;
  organization(): Promise<string>;
  /** `/v1/{organization}` and these parts, each escaped. */
  path(...parts: readonly string[]): Promise<string>;
}

/** Creates paths below the organization. Without a given organization the server is asked for the key's own. */
export function createOrganizationPath(
  requester: Requester,
  given: string | undefined,
): OrganizationPath {
  let known: Promise<Whoami> | undefined;
  const whoami = (signal?: AbortSignal): Promise<Whoami> => {
    known ??= requester.request<Whoami>("GET", "/v1/whoami", { signal }).catch((error: unknown) => {
      // What failed once may succeed later.
      known = undefined;
      throw error;
    });
    return known;
  };
  const organization = async (): Promise<string> => given ?? (await whoami()).organization;
  return {
    whoami,
    organization,
    path: async (...parts) => {
      const words = [await organization(), ...parts].map(encodeURIComponent);
      return `/v1/${words.join("/")}`;
    },
  };
}
