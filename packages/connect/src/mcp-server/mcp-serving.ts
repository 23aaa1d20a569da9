import type { Session } from "@haft/core";
import type { Server } from "@modelcontextprotocol/server";
import type { McpHost } from "./host/mcp-host.ts";

/** What is served to MCP clients, over any transport. */
export interface McpServing {
  readonly session: Session;
  /** The session's host. It asks the client that made a call. */
  readonly host: McpHost;
  readonly version: string;
  /** Instructions about the tools as a whole, for the client's model. */
  readonly instructions?: string;
  /** Called with each server before it is connected, to add handlers. */
  extend?(server: Server): void;
}
