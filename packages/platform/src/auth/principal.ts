import type { Permission } from "./permissions.ts";

/** Who makes a request. */
export interface Principal {
  readonly organization: string;
  readonly userId: string;
  /** The key that it was made with, or signed in with. */
  readonly keyId: string;
  readonly role: string;
  may(permission: Permission): boolean;
}
