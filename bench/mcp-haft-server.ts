// Our server with a tool that does nothing, called through the whole path.
import { createMcpHost, serveMcpStdio } from "@haft/connect/mcp-server";
import { prepareNoOpSessions } from "./no-op.ts";

const session = prepareNoOpSessions(1)();
await serveMcpStdio(
  { session, host: createMcpHost(), version: "1" },
  { signal: new AbortController().signal },
);
