import type { Isolation, JsonValue, ResourceKey, Tool } from "@haft/contract";
import type { PinnedTool } from "../store/mcp-server-entry.ts";
import type { ServerArguments, ServerLink } from "./server-link.ts";

/** The id of a tool and the server that runs it. */
export interface ToolTarget {
  readonly id: string;
  readonly server: string;
  readonly link: ServerLink;
  isolation(): Isolation;
}

/** Makes a session's tool from a pin. Nothing that the server claims grants anything. */
export function makeTool(pin: PinnedTool, target: ToolTarget): Tool<ServerArguments, JsonValue> {
  const { id, server, link } = target;
  // Reading calls run in parallel; calls to different servers never wait for each other.
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
      return target.isolation();
    },
    execute: (args, runtime) => link.call(pin, args, runtime),
  };
}
