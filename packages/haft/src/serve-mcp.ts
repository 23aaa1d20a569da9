import { createMcpHost, serveMcpStdio } from "@haft/connect/mcp-server";
import { type OpenSessionOptions, openSession } from "./open-session.ts";

/** Options of an MCP server: those of its session, and how it presents itself. */
export interface ServeMcpOptions extends Omit<OpenSessionOptions, "host"> {
  /** Stops serving when it fires. Default: serves until the client disconnects. */
  readonly signal?: AbortSignal;
  /** The version that clients are told. Default: `"0"`. */
  readonly version?: string;
  /** What a client may tell its model about the tools as a whole. */
  readonly instructions?: string;
}

/**
 * Serves a session's tools to one MCP client over standard input and output, until the client
 * disconnects. Calls that need approval are asked through the client.
 *
 * @example
 * ```ts
 * import { builtinTools, serveMcp } from "haft";
 *
 * await serveMcp({ workspace: ".", tools: builtinTools, rules: ["bash npm test allow"] });
 * ```
 */
export async function serveMcp(options: ServeMcpOptions = {}): Promise<void> {
  const { signal = new AbortController().signal, version = "0", instructions, ...rest } = options;
  const host = createMcpHost();
  const session = openSession({ onTimeout: "background", ...rest, host });
  try {
    const described = instructions === undefined ? {} : { instructions };
    await serveMcpStdio({ session, host, version, ...described }, { signal });
  } finally {
    await session.close();
  }
}
