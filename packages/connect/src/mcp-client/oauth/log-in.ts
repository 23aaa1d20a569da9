import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { toPlainLine } from "@haft/core/internal";
import type { FetchLike } from "@modelcontextprotocol/client";
import { connectMcp } from "../connection/connect-mcp.ts";
import { HttpTransport, limitFetch } from "../transport/http-transport.ts";
import { type OAuthLogin, type OAuthLoginOptions, openOAuthLogin } from "./open-oauth-login.ts";

/** Options of `logIn`. */
export interface LogIn extends OAuthLoginOptions {
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

/** Logs a person in to a server and stores the tokens in `memory`. */
export async function logIn(options: LogIn): Promise<void> {
  // Old tokens would be reused without asking; a login should ask.
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

// Connecting without tokens makes the server send its challenge, which says where to log in.
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
    const why = toPlainLine(toErrorMessage(cause), 500);
    throw new ToolError(
      "failed",
      `Logging in to the MCP server ${options.name} failed: ${why} If it accepts a fixed token, add it with --header.`,
    );
  }
}

// Some servers accept connections without a login and require one only for calls.
async function askAnyway({ name, url, fetch }: LogIn, login: OAuthLogin): Promise<void> {
  const { auth, discoverOAuthServerInfo } = await import("@modelcontextprotocol/client");
  const fetchFn = limitFetch(fetch);
  const { authorizationServerMetadata } = await discoverOAuthServerInfo(url, { fetchFn });
  if (authorizationServerMetadata === undefined) {
    throw new ToolError("failed", `The MCP server ${name} does not require a login.`);
  }
  await auth(login.provider, { serverUrl: url, fetchFn });
}
