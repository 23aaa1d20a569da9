import type { Session } from "@haft/core";
import type { Server } from "@modelcontextprotocol/server";
import type { McpHost } from "./host/mcp-host.ts";

/** What is served to MCP clients, whatever the way they come. */
export interface McpServing {
  readonly session: Session;
  /** The session's own host: it asks the client that made a call. */
  readonly host: McpHost;
  readonly version: string;
  /** What a client may tell its model about the tools as a whole. */
  readonly instructions?: string;
  /** Is given each server before it is connected, and may add to it. */
  extend?(server: Server): void;
}
