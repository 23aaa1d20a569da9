import { serverTypeOf, toToolId } from "@haft/connect/internal/mcp-client";
import type { McpServerEntry, PinnedTool } from "@haft/connect/mcp-client";

/** Describes how a server is reached, in one line without the values of variables and headers. */
export function describeSettings({ settings }: McpServerEntry): string {
  return serverTypeOf(settings).describe(settings);
}

/** Lists what a server may do beside reading and writing the workspace, one sentence each. */
export function describeRights({ settings }: McpServerEntry): readonly string[] {
  return serverTypeOf(settings).describeRights(settings);
}

/** Returns a server for `--json`, without values that may be secret. */
export function toServerJson({ name, settings, tools }: McpServerEntry): object {
  return {
    name,
    ...serverTypeOf(settings).toJson(settings),
    tools: tools.map((pin) => toToolJson(name, pin)),
  };
}

function toToolJson(server: string, pin: PinnedTool): object {
  return {
    name: pin.name,
    id: toToolId(server, pin.name),
    state: pin.state,
    description: pin.description,
    ...(pin.fault !== undefined && { fault: pin.fault }),
  };
}
