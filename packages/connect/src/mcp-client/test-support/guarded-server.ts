import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** A server on the net that wants to know who asks, and the one where they say so. */
export interface GuardedServer {
  readonly url: string;
  /** Makes every token that was given out worthless. */
  expireTokens(): void;
  /** Has it answer that it does not know what is asked for, as one that was started anew does. */
  setDown(isDown: boolean): void;
  /** How often somebody came to log in, registered, and refreshed a token. */
  readonly counts: { authorized: number; registered: number; refreshed: number };
  close(): Promise<void>;
}

/** How the server is guarded. */
export interface Guard {
  /** A fixed token instead of OAuth; nothing at all unless one of both is said. */
  readonly token?: string;
  readonly oauth?: boolean;
  /** The issuer that answers carry, if it is not the right one. */
  readonly issuer?: string;
}

/** Starts a server with one tool on this machine. */
export async function startGuardedServer(guard: Guard = {}): Promise<GuardedServer> {
  const handler = toNodeHandler(createMcpHandler(() => buildServer()));
  const tokens = new Set<string>(guard.token === undefined ? [] : [guard.token]);
  const counts = { authorized: 0, registered: 0, refreshed: 0 };
  const challenges = new Map<string, string>();
  let base = "";
  let isDown = false;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", base);
    if (isDown) return void response.writeHead(404).end();
    if (url.pathname === "/mcp") {
      const isOpen = guard.token === undefined && guard.oauth !== true;
      const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? "")?.[1] ?? "";
      if (isOpen || tokens.has(token)) return await handler(request as never, response);
      const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
      response.writeHead(401, guard.oauth ? { "WWW-Authenticate": where } : {}).end();
      return;
    }
    if (guard.oauth !== true) return void response.writeHead(404).end();
    await answerOAuth(url, request, response);
  };

  const answerOAuth = async (
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    };
    const body = await readAll(request);
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return json({ resource: `${base}/mcp`, authorization_servers: [base] });
    }
    if (url.pathname === "/.well-known/oauth-authorization-server") return json(metadata(base));
    if (url.pathname === "/register") {
      counts.registered++;
      return json({ ...JSON.parse(body), client_id: "client-1" }, 201);
    }
    if (url.pathname === "/authorize") {
      counts.authorized++;
      const code = randomUUID();
      challenges.set(code, url.searchParams.get("code_challenge") ?? "");
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      back.searchParams.set("iss", guard.issuer ?? base);
      return void response.writeHead(302, { Location: back.href }).end();
    }
    if (url.pathname === "/token") {
      const form = new URLSearchParams(body);
      const isRefresh = form.get("grant_type") === "refresh_token";
      if (isRefresh) counts.refreshed++;
      const isGood = isRefresh
        ? form.get("refresh_token") === "refresh-1"
        : challenges.has(form.get("code") ?? "") && (form.get("code_verifier") ?? "") !== "";
      if (!isGood) return json({ error: "invalid_grant" }, 400);
      const token = randomUUID();
      tokens.add(token);
      return json({ access_token: token, token_type: "Bearer", refresh_token: "refresh-1" });
    }
    response.writeHead(404).end();
  };

  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base}/mcp`,
    expireTokens: () => tokens.clear(),
    setDown: (down) => {
      isDown = down;
    },
    counts,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function buildServer(): McpServer {
  const server = new McpServer({ name: "guarded", version: "1" });
  const inputSchema = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
  server.registerTool("echo", { description: "Says it.", inputSchema }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
}

function metadata(base: string): object {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
