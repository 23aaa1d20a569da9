import type { ServerSettings } from "../store/mcp-server-entry.ts";
import { httpServer } from "./http-server.ts";
import type { ServerType } from "./server-type.ts";
import { stdioServer } from "./stdio-server.ts";

const serverTypes: {
  readonly [Type in ServerSettings["type"]]: ServerType<Extract<ServerSettings, { type: Type }>>;
} = { http: httpServer, stdio: stdioServer };

/** Returns the implementation of a server's transport. */
export function serverTypeOf({ type }: Pick<ServerSettings, "type">): ServerType<ServerSettings> {
  // The type of the settings chose the implementation, so it gets the settings it expects.
  return serverTypes[type] as ServerType<ServerSettings>;
}
