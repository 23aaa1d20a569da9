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

/** Makes the servers of one way in; all of them serve the same session. */
export interface ServerBuilder {
  readonly tools: ToolList;
  build(era: "legacy" | "modern"): Server;
  /** Has a connected server tell its client of other tools, for as long as it is connected. */
  announce(server: Server): void;
  /** Gives up calls that wait for an answer. */
  close(): void;
}

/** Makes what builds servers. Both protocol eras get the same tools from it. */
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

// In the modern era every request brings them along.
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const brought = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return brought ?? server.getClientCapabilities();
}

// Codex shows its model structured content instead of all other, and images can't be in it.
function losesImages(server: Server): boolean {
  return server.getClientVersion()?.name.startsWith("codex") === true;
}

// The session validates arguments, and hosts read what comes back from forms: once is enough.
const trusting: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};
