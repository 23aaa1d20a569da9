import type { Isolation } from "@haft/contract";
import { toPlainLine } from "@haft/core/internal";
import { listTools, type ToolListing } from "../connection/list-tools.ts";
import type { McpServerEntry } from "../store/mcp-server-entry.ts";
import { connectServer } from "./connect-server.ts";
import type { McpClientContext } from "./server-type.ts";

/** What one connection to a server revealed. */
export interface ServerInspection extends ToolListing {
  /** The name and version that the server reports. */
  readonly title: string;
  readonly protocolVersion: string;
  readonly isLegacy: boolean;
  /** The isolation of its program; `undefined` for a remote server. */
  readonly isolation: Isolation | undefined;
}

/** Connects to a server, lists its tools and disconnects. */
export async function inspectServer(
  entry: McpServerEntry,
  context: McpClientContext,
  signal?: AbortSignal,
): Promise<ServerInspection> {
  let isolation: Isolation | undefined;
  const notes: string[] = [];
  const connection = await connectServer(entry, context, {
    probe: true,
    ...(signal && { signal }),
    onIsolation: (found) => {
      isolation = found;
    },
    onNote: (note) => notes.push(note),
  });
  let inspection: ServerInspection;
  try {
    const listing = await listTools(connection, signal);
    const { client, isLegacy } = connection;
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    inspection = {
      ...listing,
      title: toPlainLine(`${name} ${version}`, 200),
      protocolVersion: toPlainLine(client.getNegotiatedProtocolVersion() ?? "", 40),
      isLegacy,
      isolation,
    };
  } finally {
    await connection.close().catch(() => {});
  }
  return { ...inspection, warnings: [...inspection.warnings, ...notes] };
}
