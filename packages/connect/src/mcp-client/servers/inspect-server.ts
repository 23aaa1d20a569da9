import type { Isolation } from "@haft/contract";
import { toPlainLine } from "@haft/core/internal";
import { createLineSplitter } from "../../line-splitter.ts";
import { listTools, type ToolListing } from "../connection/list-tools.ts";
import type { McpServerEntry } from "../store/mcp-server-entry.ts";
import { connectServer } from "./connect-server.ts";
import type { McpClientContext } from "./server-type.ts";

const maxLineBytes = 64 * 1024;
const maxLines = 40;

/** What one connection to a server revealed. */
export interface ServerInspection extends ToolListing {
  /** The name and version that the server reports. */
  readonly title: string;
  readonly protocolVersion: string;
  readonly isLegacy: boolean;
  /** The isolation of its program; `undefined` for a remote server. */
  readonly isolation: Isolation | undefined;
}

/** Options of `inspectServer`. */
export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** Called with each line that the server's program writes to standard error while it starts. */
  onProgress?(line: string): void;
}

/** How long a server may take to start, in milliseconds: npx and uvx may download it first. */
export const firstStartMs = 60_000;

/**
 * Connects to a server, lists its tools and disconnects. If that fails for a server that never worked,
 * what its program downloaded is deleted: an incomplete download would fail every time.
 */
export async function inspectServer(
  entry: McpServerEntry,
  context: McpClientContext,
  options: InspectOptions = {},
): Promise<ServerInspection> {
  try {
    return await inspect(entry, { timeoutMs: firstStartMs, ...context }, options);
  } catch (error) {
    if (entry.tools.length === 0) context.store.clearHome(entry.name);
    throw error;
  }
}

async function inspect(
  entry: McpServerEntry,
  context: McpClientContext,
  { signal, onProgress }: InspectOptions,
): Promise<ServerInspection> {
  let linesLeft = maxLines;
  const lines = createLineSplitter(maxLineBytes);
  let isolation: Isolation | undefined;
  const notes: string[] = [];
  const connection = await connectServer(entry, context, {
    probe: true,
    ...(signal && { signal }),
    onIsolation: (found) => {
      isolation = found;
    },
    onNote: (note) => notes.push(note),
    onErrors: (bytes) => {
      for (const line of lines.take(bytes) ?? []) {
        if (line.trim() !== "" && linesLeft-- > 0) onProgress?.(toPlainLine(line, 200));
      }
    },
  });
  linesLeft = 0;
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
