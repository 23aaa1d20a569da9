import type { SandboxMode } from "@haft/computer";
import type { PreparedTool } from "../definition/prepared-tool.ts";

/** A server that is a program on this machine. */
export interface StdioSettings {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables with their values, in which `${NAME}` stands for a variable of ours. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables of ours that it gets as they are when it starts. */
  readonly passEnv: readonly string[];
  /** Directories that it may read beside the workspace. */
  readonly reads: readonly string[];
  /** Directories that it may write below; the workspace unless said. */
  readonly writes?: readonly string[];
  readonly hosts: readonly string[];
  /** As the computer does it unless said. */
  readonly sandbox?: SandboxMode;
}

/** A server on the net. */
export interface HttpSettings {
  readonly type: "http";
  readonly url: string;
  /** In their values `${NAME}` stands for a variable of ours. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hosts that may be reached for it though they are private, beside its own: where one logs in, say. */
  readonly hosts: readonly string[];
  /** Who we are to its authorization server, where that does not let us register. */
  readonly clientId?: string;
}

/** How a server is reached. */
export type ServerSettings = StdioSettings | HttpSettings;

/**
 * What became of a tool since somebody accepted it: nothing; it is described otherwise, or was at
 * some time; it came later and waits to be accepted; the server has it no more.
 */
export type PinState = "accepted" | "changed" | "new" | "gone";

/** A tool of a server's as it was accepted; one that is new, as it was found. */
export interface PinnedTool extends PreparedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly hash: string;
  readonly state: PinState;
}

/** One server of a workspace, and what is known of it. */
export interface McpServerEntry {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly tools: readonly PinnedTool[];
  /** It speaks the protocol's earlier revisions only, so that nobody need ask again. */
  readonly legacy?: boolean;
}
