import type { DiskComputer } from "@haft/computer";
import type { PastCall } from "@haft/contract";
import type { Host } from "@haft/core";
import type { StoredEntry } from "../threads/thread.ts";
import type { ThreadSummary } from "../threads/threads.ts";
import type { StartedAgent } from "../workspace-agents/workspace-agents.ts";

/** An MCP server that the client passes on, in ACP's format. */
export type AcpMcpServer =
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A session that the client requests. */
export interface AcpOpen {
  /** The workspace, absolute. */
  readonly cwd: string;
  /** Additional roots. */
  readonly directories: readonly string[];
  readonly mcpServers: readonly AcpMcpServer[];
  /** ID of a session to continue. Default: a new session. */
  readonly session?: string | undefined;
  /** Asks the person through the client. */
  readonly host: Host;
  /** Routes files and commands through the client, as far as it supports that. */
  delegate(computer: DiskComputer): DiskComputer;
}

/** An open session. */
export interface AcpSession {
  /** ID of the thread, which the client uses as session ID. */
  readonly id: string;
  readonly agent: StartedAgent;
  /** Earlier entries of its thread. */
  history(): Iterable<StoredEntry>;
  /** The calls that changed files, newest first. */
  calls(): Promise<readonly PastCall[]>;
  /** Makes a session whose conversation ends with an entry, and returns its ID. */
  fork(upTo: number): string;
  close(): Promise<void>;
}

/** The agents that ACP serves. */
export interface AcpBackend {
  /** Opens a session. Throws a `ToolError` `not-found` if it does not exist, and an `Error` that says what to do if it can't be opened. */
  open(open: AcpOpen): Promise<AcpSession>;
  /** Lists threads, of one workspace if given. */
  list(cwd: string | undefined): readonly ThreadSummary[];
  /** Lists the primary agents, which are the modes. */
  modes(
    cwd: string,
  ): readonly { readonly id: string; readonly name: string; readonly description: string }[];
}
