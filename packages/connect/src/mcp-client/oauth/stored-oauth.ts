import { ToolError } from "@haft/contract";
import type { HttpSettings } from "../store/mcp-server-entry.ts";
import type { McpStore } from "../store/mcp-store.ts";
import { createStoredMemory } from "./oauth-memory.ts";
import { OAuthProvider } from "./oauth-provider.ts";

/** Shows a server the tokens of an earlier login and refreshes them; asks nobody to log in. */
export function createStoredOAuth(
  name: string,
  { clientId }: HttpSettings,
  store: McpStore,
): OAuthProvider {
  const memory = createStoredMemory(name, store);
  const client = memory.read().client as { redirect_uris?: readonly string[] } | undefined;
  return new OAuthProvider(memory, {
    redirectUrl: client?.redirect_uris?.[0] ?? "http://127.0.0.1/callback",
    clientId,
    clientSecret: memory.read().clientSecret as string | undefined,
    openUrl: () => {
      throw new ToolError(
        "unavailable",
        `The MCP server ${name} does not know who asks any more. Log in with haft mcp login ${name}.`,
      );
    },
  });
}
