// The client that the official conformance suites start: our connection and our OAuth, used as the
// scenario wants it. The server's address is the last argument.
// Run it with: node packages/connect/test/conformance/client.ts URL

import { runClient } from "./fixture/run-client.ts";

const { MCP_CONFORMANCE_CONTEXT: context, MCP_CONFORMANCE_PROTOCOL_VERSION: version } = process.env;

process.exitCode = await runClient({ url: process.argv.at(-1) ?? "", context, version });
