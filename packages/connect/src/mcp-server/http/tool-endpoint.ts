import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonSchema } from "@haft/contract";
import { toPlainText } from "@haft/core/internal";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { describeTool, toPlainSchema } from "../../published/plain-schema.ts";
import { clientOf, trusting } from "../build-server.ts";
import { type CallParams, LeanServer } from "../lean-server.ts";
import { signalOf } from "../tools/call-tool.ts";
import { readMessage } from "./read-message.ts";

/** A tool that an offer lists. */
export interface OfferedTool {
  readonly name: string;
  /** Paragraphs for a model. */
  readonly description: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
}

/** A call of an offered tool. */
export interface OfferedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the client calls itself, if its request says so. */
  readonly client?: string | undefined;
  readonly signal: AbortSignal;
  onStatus(event: unknown): void;
}

/** The tools that one caller may list and call. */
export interface ToolOffer {
  /** For the client's model. */
  readonly instructions?: string | undefined;
  /** Lists a page of tools, from behind a cursor. Returns `undefined` for a cursor that it did not make. */
  list(
    cursor: string | undefined,
  ): Promise<
    { readonly tools: readonly OfferedTool[]; readonly nextCursor?: string | undefined } | undefined
  >;
  /** Calls a tool. Returns `undefined` if the offer has none of that name. */
  call(
    call: OfferedCall,
  ): Promise<{ readonly text: string; readonly isError: boolean } | undefined>;
}

/** Serves offers over MCP, each request on its own: what a caller is offered may change any time. */
export interface McpToolEndpoint {
  /** Answers an authorized request. */
  handle(request: IncomingMessage, response: ServerResponse, offer: ToolOffer): Promise<void>;
  close(): Promise<void>;
}

const maxBodyBytes = 10 * 1024 * 1024;

/** Creates an endpoint for both protocol eras. It keeps no sessions. */
export function createMcpToolEndpoint({ version }: { readonly version: string }): McpToolEndpoint {
  const handler = createMcpHandler(
    ({ authInfo }) => buildServer(version, authInfo?.extra?.offer as ToolOffer),
    { maxRequestBodySize: maxBodyBytes },
  );
  return {
    handle: async (request, response, offer) => {
      const authInfo = { token: "", clientId: "", scopes: [], extra: { offer } };
      const fetch = async (received: Request): Promise<Response> => {
        if (received.method !== "POST") return handler.fetch(received, { authInfo });
        const message = await readMessage(received);
        if (message instanceof Response) return message;
        return handler.fetch(received, { authInfo, parsedBody: message.body });
      };
      const handle = toNodeHandler({ fetch }, { maxRequestBodySize: maxBodyBytes });
      await handle(request as NodeIncomingMessageLike, response);
    },
    close: () => handler.close(),
  };
}

function buildServer(version: string, offer: ToolOffer): Server {
  const { instructions } = offer;
  const server = new LeanServer(
    { name: "haft", title: "Haft", version },
    {
      capabilities: { tools: {} },
      jsonSchemaValidator: trusting,
      ...(instructions && { instructions: toPlainText(instructions) }),
    },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    const page = await offer.list(params?.cursor);
    if (page === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is not valid.");
    }
    const { tools, nextCursor } = page;
    return { tools: tools.map(toTool), ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.handleCalls(async ({ name, arguments: args }: CallParams, context) => {
    const client = clientOf(server, context);
    const progress = startProgress(context);
    try {
      const result = await offer.call({
        name,
        arguments: (args ?? {}) as OfferedCall["arguments"],
        client: client && `${client.name}/${client.version}`,
        signal: signalOf(context),
        onStatus: progress.report,
      });
      if (result === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      }
      const content = [{ type: "text" as const, text: toPlainText(result.text) }];
      return result.isError ? { content, isError: true } : { content };
    } finally {
      progress.stop();
    }
  });
  return server;
}

function toTool({ name, description, inputSchema, outputSchema }: OfferedTool): Tool {
  return {
    name,
    description: describeTool(description, outputSchema),
    inputSchema: toPlainSchema(inputSchema) as Tool["inputSchema"],
    // What a published tool does is not known.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  };
}

const heartbeatMs = 15_000;

/** Sends a tool's status events as progress, and a sign of life while it is silent. */
function startProgress({ mcpReq }: ServerContext): { report(event: unknown): void; stop(): void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => {}, stop: () => {} };
  let progress = 0;
  const send = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // Failing to notify a disconnected client is fine; its call is stopped elsewhere.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  const heartbeat = setInterval(() => send("running"), heartbeatMs);
  return {
    report: (event) => send(toPlainText(typeof event === "string" ? event : JSON.stringify(event))),
    stop: () => clearInterval(heartbeat),
  };
}
