import type { Permission } from "./permissions.ts";

/** The caller of a request. */
export interface Principal {
  readonly organization: string;
  readonly userId: string;
  /** The API key of the request or of its sign-in. Empty for commands on the data directory. */
  readonly keyId: string;
  readonly role: string;
  /** Returns whether it has a permission for the whole organization. */
  may(permission: Permission): boolean;
  /** Permissions that cover some tools only. Absent if there are none. */
  readonly limits?: ToolLimits;
}

/** Permissions that are limited to some tools. Ask `auth/tool-access.ts`, which knows the others too. */
export interface ToolLimits {
  /** Such as `Tool:InvokeTool@set:support`. */
  readonly texts: readonly string[];
  /** Returns whether a permission is granted for any tool. */
  has(permission: Permission): boolean;
  /** Returns the ids of the tools that a permission covers: all of them, or only one if it is. */
  find(permission: Permission, toolId?: string): Promise<ReadonlySet<string>>;
}
