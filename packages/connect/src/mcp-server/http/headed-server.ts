import { McpServer, type Server } from "@modelcontextprotocol/server";
import type { ToolList } from "../tools/tool-list.ts";

/**
 * A server whose tools' schemas the library knows before it hands a request over: it holds the
 * arguments that a schema wants in headers too (`x-mcp-header`) against those headers.
 */
export class HeadedServer extends McpServer {
  override readonly server: Server;
  readonly #tools: ToolList;

  constructor(server: Server, tools: ToolList) {
    super({ name: "haft", version: "0" });
    this.server = server;
    this.#tools = tools;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#tools.list().find((tool) => tool.name === name)?.inputSchema;
  }
}
