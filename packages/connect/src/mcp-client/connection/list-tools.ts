import type { ListedTool } from "../definition/listed-tool.ts";
import type { McpConnection } from "./connect-mcp.ts";

/** What a server offers, and what of it is not taken. */
export interface ToolListing {
  readonly tools: readonly ListedTool[];
  /** At most one sentence for each thing that is wrong with the list. */
  readonly warnings: readonly string[];
}

const mostTools = 512;
const mostPages = 64;
const mostBytes = 8 * 1024 * 1024;
const patience = 10_000;

/**
 * Lists a server's tools: as many as are taken, however many there are and however often it goes on.
 * Fails with `unavailable`.
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
  const limit = AbortSignal.timeout(patience);
  const options = {
    timeout: patience,
    signal: AbortSignal.any([limit, ...(signal ? [signal] : [])]),
  };
  let bytes = 0;
  const take = (listed: unknown): boolean => {
    if (!isNamed(listed)) {
      warnings.add("it lists tools without a name, which are left out");
      return true;
    }
    if (tools.has(listed.name)) {
      warnings.add("it lists tools of the same name twice; the first ones count");
      return true;
    }
    bytes += JSON.stringify(listed).length;
    if (tools.size < mostTools && bytes <= mostBytes) {
      tools.set(listed.name, listed);
      return true;
    }
    warnings.add(
      tools.size >= mostTools
        ? `it has more than ${mostTools} tools; the first ${mostTools} are taken`
        : `its tools take more than ${mostBytes} bytes; the first ${tools.size} are taken`,
    );
    return false;
  };

  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
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
  warnings.add("its list of tools has no end; what came is taken");
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
