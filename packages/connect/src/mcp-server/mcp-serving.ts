import type { Session } from "@haft/core";
import type { Server } from "@modelcontextprotocol/server";
import type { ClientIdentity } from "./clients/client-forms.ts";
import type { McpHost } from "./host/mcp-host.ts";

/** What is served to MCP clients, over any transport. */
export interface McpServing {
  /**
   * The session of all clients, or a function that opens one for each connection. Sessions that it
   * opened are suspended when their client disconnects.
   */
  readonly session: Session | OpenClientSession;
  /** The host of the sessions. It asks the client that made a call. */
  readonly host: McpHost;
  readonly version: string;
  /** Instructions about the tools as a whole, for the client's model. */
  readonly instructions?: string;
  /**
   * Sends structured content and output schemas instead of text, for programs. Default: the form that
   * the client's model reads, which is text for all known clients.
   */
  readonly structured?: boolean;
  /** Maximum size of a result in bytes. Default: what the client shows its model, at most 30 KB. */
  readonly maxBytes?: number;
  /** Called with each server before it is connected, to add handlers. */
  extend?(server: Server): void;
}

/** Opens the session of a client that has connected. */
export type OpenClientSession = (client: ClientIdentity) => Session;
