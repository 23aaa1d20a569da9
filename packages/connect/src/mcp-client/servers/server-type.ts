import type { Isolation } from "@haft/contract";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { McpStore } from "../store/mcp-store.ts";
import type { ProgramStarter } from "../transport/program-transport.ts";
import type { ServerTransport } from "../transport/server-transport.ts";

/** The parts of a computer that MCP servers need. */
export interface McpComputer extends ProgramStarter {
  readonly roots: readonly string[];
  readonly home: string | undefined;
  readonly shellIsolation: Isolation;
}

/** Where servers run and what they may use. */
export interface McpClientContext {
  readonly computer: McpComputer;
  readonly store: McpStore;
  /** Source of `passEnv` variables and of `${NAME}` references. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Programs may write only in their own home directories. */
  readonly readOnly?: boolean;
  /** Time limit for the handshake, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Receives events of a server's program. */
export interface ProgramEvents {
  readonly onIsolation?: ((isolation: Isolation, warning: string | undefined) => void) | undefined;
  /** Called for each thing that was taken away from the program after it ended. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called with what the program writes to standard error. */
  readonly onErrors?: ((bytes: Uint8Array) => void) | undefined;
}

/** What a login to a server needs. */
export interface LoginTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
  readonly clientId: string | undefined;
}

/**
 * Everything that depends on how a server is reached. To add a transport, add its settings to
 * `ServerSettings`, write one of these, and list it in `server-types.ts`.
 */
export interface ServerType<Settings> {
  /**
   * Whether a stored protocol era is used without asking again. For a program the question may cost
   * a restart; for an HTTP server it is cheap.
   */
  readonly remembersEra: boolean;
  openTransport(
    name: string,
    settings: Settings,
    context: McpClientContext & ProgramEvents,
  ): Promise<ServerTransport>;
  /** Returns the isolation that a server will have once it is connected. */
  expectIsolation(settings: Settings, computer: McpComputer): Isolation;
  /** Returns what a login needs, or `undefined` if this kind of server has no login. */
  toLogin(
    settings: Settings,
    environment: Readonly<Record<string, string | undefined>>,
  ): LoginTarget | undefined;
  /** Describes in one line how the server is reached, without values of variables and headers. */
  describe(settings: Settings): string;
  /** Lists what the server may do beside reading and writing the workspace, one sentence each. */
  describeRights(settings: Settings): readonly string[];
  /** Returns the settings for `--json`, without values that may be secret. */
  toJson(settings: Settings): object;
}
