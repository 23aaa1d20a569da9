import type { Tool } from "@haft/contract";
import type { Computer } from "../computer.ts";
import { createRegistry } from "../registry/registry.ts";
import { createSession, type Session } from "../session/session.ts";
import type { SessionOptions } from "../session/session-options.ts";

/** Opens a session with these tools in which every call is allowed unless the options differ. */
export function startSession(
  computer: Computer,
  tools: Iterable<Tool>,
  options: Partial<SessionOptions> = {},
): Session {
  return createSession({
    registry: createRegistry(tools),
    computer,
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
    ...options,
  });
}
