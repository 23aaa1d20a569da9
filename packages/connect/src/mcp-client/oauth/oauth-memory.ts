import type { Credentials, McpStore } from "../store/mcp-store.ts";

/** Stores the tokens and the client registration of one server. */
export interface OAuthMemory {
  read(): Credentials;
  update(change: (credentials: Credentials) => Credentials): void;
}

/** Stores them in the credentials file of an MCP store. */
export function createStoredMemory(name: string, store: McpStore): OAuthMemory {
  return {
    read: () => store.readCredentials(name),
    update: (change) => store.updateCredentials(name, change),
  };
}

/** Stores them in memory, for as long as this process runs. */
export function createBriefMemory(): OAuthMemory {
  let kept: Credentials = {};
  return {
    read: () => kept,
    update: (change) => {
      kept = change(kept);
    },
  };
}
