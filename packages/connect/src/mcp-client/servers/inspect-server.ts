import type { Isolation } from "@haft/contract";
import { listTools, type ToolListing } from "../connection/list-tools.ts";
import type { McpServerEntry } from "../store/mcp-server-entry.ts";
import { toPlainLine } from "../text/plain-text.ts";
import { connectServer, type ServerPlace } from "./connect-server.ts";

/** What was found out about a server by connecting to it once. */
export interface ServerInspection extends ToolListing {
  /** What it calls itself. */
  readonly title: string;
  readonly protocolVersion: string;
  readonly isLegacy: boolean;
  /** What confines its program; of one on the net nothing runs here. */
  readonly isolation: Isolation | undefined;
}

/** Connects to a server, looks at what it offers, and lets it go again. */
export async function inspectServer(
  entry: McpServerEntry,
  place: ServerPlace,
  signal?: AbortSignal,
): Promise<ServerInspection> {
  let isolation: Isolation | undefined;
  const notes: string[] = [];
  const connection = await connectServer(entry, place, {
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
