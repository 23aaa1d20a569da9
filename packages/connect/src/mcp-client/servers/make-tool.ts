import type { Isolation, JsonValue, ResourceKey, Tool } from "@haft/contract";
import type { PinnedTool } from "../store/mcp-server-entry.ts";
import type { ServerArguments, ServerLink } from "./server-link.ts";

/** What a tool is called here, where its calls go, and what confines them there. */
export interface ToolHome {
  readonly id: string;
  readonly server: string;
  readonly link: ServerLink;
  isolation(): Isolation;
}

/** A tool of a server's as sessions know tools. Nothing the server says of it grants anything. */
export function makeTool(pin: PinnedTool, home: ToolHome): Tool<ServerArguments, JsonValue> {
  const { id, server, link } = home;
  // What only reads runs beside its like; calls to different servers never wait for each other.
  const keys: readonly ResourceKey[] = [
    { type: "name", key: `mcp:${server}`, mode: pin.readOnly ? "read" : "write" },
  ];
  return {
    id,
    description: pin.description,
    parameters: pin.parameters,
    ...(pin.output !== undefined && { output: pin.output }),
    requires: {},
    kind: pin.kind,
    source: "mcp",
    execution: { resourceKeys: () => keys },
    get isolation() {
      return home.isolation();
    },
    execute: (args, runtime) => link.call(pin, args, runtime),
  };
}
