import { ToolError } from "@haft/contract";
import type { FetchLike } from "@modelcontextprotocol/client";
import { connectMcp } from "../connection/connect-mcp.ts";
import { messageOf } from "../message-of.ts";
import { toPlainLine } from "../text/plain-text.ts";
import { HttpTransport, limitFetch } from "../transport/http-transport.ts";
import { type OAuthLogin, type OAuthLoginOptions, openOAuthLogin } from "./open-oauth-login.ts";

/** Whom to log in to. */
export interface LogIn extends OAuthLoginOptions {
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

/** Logs a person in to a server; what it gives us for it is in the memory afterwards. */
export async function logIn(options: LogIn): Promise<void> {
  // Whoever logs in wants to be asked, not to be taken for who they were.
  options.memory.update(({ tokens: _, ...others }) => others);
  const login = await openOAuthLogin(options);
  try {
    const transport = await createTransport(options, login);
    if (!(await isAsked(options, transport))) await askAnyway(options, login);
    await login.finish(transport.inner);
  } finally {
    await login.close();
  }
}

async function createTransport(options: LogIn, login: OAuthLogin): Promise<HttpTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  return new HttpTransport(
    new StreamableHTTPClientTransport(new URL(options.url), {
      fetch: limitFetch(options.fetch),
      requestInit: { headers: { ...options.headers } },
      authProvider: login.provider,
    }),
  );
}

// The server's own challenge says best where to log in.
async function isAsked(options: LogIn, transport: HttpTransport): Promise<boolean> {
  const { OAuthClientFlowError, OAuthError, UnauthorizedError } = await import(
    "@modelcontextprotocol/client"
  );
  try {
    const { name, signal } = options;
    const connection = await connectMcp({ name, signal, createTransport: async () => transport });
    await connection.close();
    return false;
  } catch (error) {
    const cause = ToolError.isInstance(error) ? error.cause : undefined;
    if (UnauthorizedError.isInstance(cause)) return true;
    if (!OAuthClientFlowError.isInstance(cause) && !OAuthError.isInstance(cause)) throw error;
    const why = toPlainLine(messageOf(cause), 500);
    throw new ToolError(
      "failed",
      `There is no login to the MCP server ${options.name}: ${why} If it takes a fixed token, add it with a --header.`,
    );
  }
}

// Some servers let everybody in and ask only when a tool is called.
async function askAnyway({ name, url, fetch }: LogIn, login: OAuthLogin): Promise<void> {
  const { auth, discoverOAuthServerInfo } = await import("@modelcontextprotocol/client");
  const fetchFn = limitFetch(fetch);
  const { authorizationServerMetadata } = await discoverOAuthServerInfo(url, { fetchFn });
  if (authorizationServerMetadata === undefined) {
    throw new ToolError("failed", `The MCP server ${name} lets everybody in; there is no login.`);
  }
  await auth(login.provider, { serverUrl: url, fetchFn });
}
