import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { LeanServer } from "./lean-server.ts";
import type { McpServing } from "./mcp-serving.ts";
import { createCallTool } from "./tools/call-tool.ts";
import { createOpenCalls } from "./tools/open-calls.ts";
import { createToolList, type ToolList } from "./tools/tool-list.ts";

/** Creates servers for one entry point. All of them serve the same session. */
export interface ServerBuilder {
  readonly tools: ToolList;
  build(era: "legacy" | "modern"): Server;
  /** Notifies the client of a connected server whenever the tools change. */
  announce(server: Server): void;
  /** Cancels calls that wait for a person. */
  close(): void;
}

/** Creates a server builder. Both protocol eras get the same tools. */
export function createServerBuilder(serving: McpServing): ServerBuilder {
  const { session, version, instructions } = serving;
  const tools = createToolList(session);
  const openCalls = createOpenCalls();
  const callTool = createCallTool(serving, { tools, openCalls });
  return {
    tools,
    build: (era) => {
      const server = new LeanServer(
        { name: "haft", title: "Haft", version },
        {
          capabilities: { tools: { listChanged: true } },
          jsonSchemaValidator: trusting,
          ...(instructions !== undefined && { instructions }),
        },
      );
      server.setRequestHandler("tools/list", () => ({ tools: tools.list() }));
      server.handleCalls((params, context) =>
        callTool({
          params,
          context,
          era,
          capabilities: capabilitiesOf(server, context),
          losesImages: losesImages(server),
        }),
      );
      serving.extend?.(server);
      return server;
    },
    announce: (server) => {
      const stop = tools.onChange(() => void server.sendToolListChanged().catch(() => {}));
      const closed = server.onclose;
      server.onclose = () => {
        void stop();
        closed?.();
      };
    },
    close: () => {
      openCalls.close();
      tools.close();
    },
  };
}

// In the modern era each request carries the capabilities.
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const brought = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return brought ?? server.getClientCapabilities();
}

// Codex shows its model only the structured content if there is any, and that can't contain images.
function losesImages(server: Server): boolean {
  return server.getClientVersion()?.name.startsWith("codex") === true;
}

// The session validates arguments and the hosts validate form answers; the SDK need not do it again.
const trusting: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};
