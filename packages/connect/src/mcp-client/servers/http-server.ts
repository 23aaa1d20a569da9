import { createGuardedFetch } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import type { FetchLike } from "@modelcontextprotocol/client";
import { createStoredMemory } from "../oauth/oauth-memory.ts";
import { OAuthProvider } from "../oauth/oauth-provider.ts";
import type { HttpSettings } from "../store/mcp-server-entry.ts";
import type { McpStore } from "../store/mcp-store.ts";
import { HttpTransport, limitFetch } from "../transport/http-transport.ts";
import { expandVariables } from "./expand-variables.ts";
import type { ServerType } from "./server-type.ts";

/** Servers that are reached over HTTP. */
export const httpServer: ServerType<HttpSettings> = {
  remembersEra: false,
  openTransport: async (name, settings, { store, environment = process.env }) => {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const authProvider = createStoredOAuth(name, settings, store);
    const inner = new StreamableHTTPClientTransport(new URL(settings.url), {
      fetch: limitFetch(createServerFetch(settings)),
      requestInit: { headers: expandVariables(settings.headers, environment) },
      // Without stored tokens a server that asks for a login gets no answer from here.
      ...(authProvider.isLoggedIn() && { authProvider }),
    });
    return new HttpTransport(inner);
  },
  // Nothing of the server runs here; this process only sends requests to it.
  expectIsolation: () => "capability",
  toLogin: (settings, environment) => ({
    url: settings.url,
    headers: expandVariables(settings.headers, environment),
    fetch: createServerFetch(settings),
    clientId: settings.clientId,
  }),
  describe: ({ url, headers }) => {
    const names = Object.keys(headers);
    return `${url}${names.length === 0 ? "" : ` (with ${names.join(", ")})`}`;
  },
  describeRights: () => [],
  toJson: ({ type, url, headers }) => ({ type, url, headers: Object.keys(headers) }),
};

/** Creates the fetch for a server. Its own host was named by a person and may be private. */
export function createServerFetch({ url, hosts }: Pick<HttpSettings, "url" | "hosts">): FetchLike {
  const { hostname, port, protocol } = new URL(url);
  const own = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  return createGuardedFetch({ allowedHosts: [own, ...hosts] });
}

// Sends and refreshes the tokens of an earlier login. It never starts a login.
function createStoredOAuth(
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
        `The login to the MCP server ${name} has expired. Log in again: haft mcp login ${name}`,
      );
    },
  });
}
