import { isAbsolute } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";
import type { AcpMcpServer, AcpOpen } from "../acp-backend.ts";
import { invalidParams } from "../request-errors.ts";

/** The parameters of a session request. */
export interface SessionWish {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | null | undefined;
  readonly mcpServers?: readonly McpServer[] | null | undefined;
  readonly sessionId?: string | undefined;
}

/** Validates and converts the parameters of a session request. */
export function toSessionOpen(
  wish: SessionWish,
): Pick<AcpOpen, "cwd" | "directories" | "mcpServers" | "session"> {
  const { cwd, additionalDirectories, mcpServers, sessionId: session } = wish;
  const directories = additionalDirectories ?? [];
  const relative = [cwd, ...directories].find((path) => !isAbsolute(path));
  if (relative !== undefined) {
    throw invalidParams(
      `${JSON.stringify(relative)} is not an absolute path. Use an absolute path.`,
    );
  }
  return { cwd, directories, mcpServers: (mcpServers ?? []).map(toServer), session };
}

function toServer(server: McpServer): AcpMcpServer {
  if ("type" in server) {
    const { type, name, url, headers } = server;
    return { type, name, url, headers: toRecord(headers) };
  }
  const { name, command, args, env } = server;
  return { type: "stdio", name, command, args, env: toRecord(env) };
}

function toRecord(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
