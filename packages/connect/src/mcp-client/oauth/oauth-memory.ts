import type { Credentials, McpStore } from "../store/mcp-store.ts";

/** Where tokens and registrations of one server are kept. */
export interface OAuthMemory {
  read(): Credentials;
  update(change: (credentials: Credentials) => Credentials): void;
}

/** They are kept in the store's file of credentials. */
export function createStoredMemory(name: string, store: McpStore): OAuthMemory {
  return {
    read: () => store.readCredentials(name),
    update: (change) => store.updateCredentials(name, change),
  };
}

/** They are forgotten with this process. */
export function createBriefMemory(): OAuthMemory {
  let kept: Credentials = {};
  return {
    read: () => kept,
    update: (change) => {
      kept = change(kept);
    },
  };
}
