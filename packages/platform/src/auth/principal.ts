import type { Permission } from "./permissions.ts";

/** The caller of a request. */
export interface Principal {
  readonly organization: string;
  readonly userId: string;
  /** The API key of the request or of its sign-in. Empty for commands on the data directory. */
  readonly keyId: string;
  readonly role: string;
  may(permission: Permission): boolean;
}
