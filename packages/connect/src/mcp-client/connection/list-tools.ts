import { isNestedDeeper } from "@haft/core/internal";
import { type ListedTool, maxTools } from "../definition/listed-tool.ts";
import type { McpConnection } from "./connect-mcp.ts";

/** The tools of a server, and warnings about those that were skipped. */
export interface ToolListing {
  readonly tools: readonly ListedTool[];
  /** At most one clause per kind of problem. */
  readonly warnings: readonly string[];
}

const maxPages = 500;
const maxBytes = 16 * 1024 * 1024;
const maxDepth = 200;
const timeoutMs = 10_000;
const totalTimeoutMs = 60_000;

/**
 * Lists a server's tools, all pages of them, up to limits that only a broken server reaches. Throws
 * `unavailable`.
 */
export async function listTools(
  connection: McpConnection,
  signal?: AbortSignal,
): Promise<ToolListing> {
  const { client } = connection;
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], warnings: [] };
  const release = connection.hold();
  try {
    return await listPages(connection, signal);
  } catch (error) {
    throw await connection.toFailure(error);
  } finally {
    release();
  }
}

async function listPages(
  { client, transport }: McpConnection,
  signal: AbortSignal | undefined,
): Promise<ToolListing> {
  const tools = new Map<string, ListedTool>();
  const cursors = new Set<string>();
  const warnings = new Set<string>();
  const limit = AbortSignal.timeout(totalTimeoutMs);
  const options = {
    timeout: timeoutMs,
    signal: AbortSignal.any([limit, ...(signal ? [signal] : [])]),
  };
  let bytes = 0;
  const take = (listed: unknown): boolean => {
    if (!isNamed(listed)) {
      warnings.add("tools without a name are left out");
      return true;
    }
    if (tools.has(listed.name)) {
      warnings.add("several tools have the same name; the first of each is used");
      return true;
    }
    if (isNestedDeeper(listed, maxDepth)) {
      warnings.add(`tools nested more than ${maxDepth} levels deep are left out`);
      return true;
    }
    bytes += JSON.stringify(listed).length;
    if (tools.size < maxTools && bytes <= maxBytes) {
      tools.set(listed.name, listed);
      return true;
    }
    warnings.add(
      tools.size >= maxTools
        ? `it has more than ${maxTools} tools; only the first ${maxTools} are used`
        : `its tools have more than ${maxBytes} bytes; only the first ${tools.size} are used`,
    );
    return false;
  };

  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await transport.screen.collect(() =>
      client.request({ method: "tools/list", params }, options),
    );
    if (!listed.tools.every(take)) return { tools: [...tools.values()], warnings: [...warnings] };
    cursor = listed.page.nextCursor;
    if (cursor === undefined) return { tools: [...tools.values()], warnings: [...warnings] };
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  warnings.add("its list of tools does not end; the tools received so far are used");
  return { tools: [...tools.values()], warnings: [...warnings] };
}

function isNamed(value: unknown): value is ListedTool {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    value.name !== ""
  );
}
