import type { SandboxMode } from "@haft/computer";
import type { PreparedTool } from "../definition/prepared-tool.ts";

/** A server that is a program on this machine. */
export interface StdioSettings {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables and their values. `${NAME}` in a value refers to a variable of Haft's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that are passed on from Haft's environment. */
  readonly passEnv: readonly string[];
  /** Further directories that it may read. */
  readonly reads: readonly string[];
  /** Directories in which it may write. Default: the workspace. */
  readonly writes?: readonly string[];
  readonly hosts: readonly string[];
  /** Default: the mode of the computer. */
  readonly sandbox?: SandboxMode;
}

/** A server that is reached over HTTP. */
export interface HttpSettings {
  readonly type: "http";
  readonly url: string;
  /** `${NAME}` in a value refers to a variable of Haft's environment. */
  readonly headers: Readonly<Record<string, string>>;
  /** Private hosts that may be reached beside its own, such as an authorization server. */
  readonly hosts: readonly string[];
  /** OAuth client ID, for authorization servers without dynamic registration. */
  readonly clientId?: string;
}

/** How a server is reached. */
export type ServerSettings = StdioSettings | HttpSettings;

/**
 * The state of a pin: unchanged since it was accepted; the definition changed, even if it changed
 * back; found later and not accepted yet; no longer on the server.
 */
export type PinState = "accepted" | "changed" | "new" | "gone";

/** A tool's accepted definition, or for a new tool the definition that was found. */
export interface PinnedTool extends PreparedTool {
  /** The tool's name on the server. */
  readonly name: string;
  readonly hash: string;
  readonly state: PinState;
}

/** One server of a workspace and its pins. */
export interface McpServerEntry {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly tools: readonly PinnedTool[];
  /** The server supports only the protocol revisions before 2026. */
  readonly legacy?: boolean;
}
