import type { DiskComputer } from "@haft/computer";
import type { Host } from "@haft/core";
import type { StartedAgent } from "../house/agent-house.ts";
import type { StoredEntry } from "../threads/thread.ts";
import type { ThreadSummary } from "../threads/threads.ts";

/** An MCP server that the client passes on, as ACP has it. */
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

/** A session that the client wants. */
export interface AcpOpen {
  /** The workspace, absolute. */
  readonly cwd: string;
  /** More roots beside it. */
  readonly directories: readonly string[];
  readonly mcpServers: readonly AcpMcpServer[];
  /** The id of a session to go on with; a new one unless said. */
  readonly session?: string | undefined;
  /** Asks the person through the client. */
  readonly host: Host;
  /** Has files and commands go through the client, as far as it offers that. */
  delegate(computer: DiskComputer): DiskComputer;
}

/** A session that is open. */
export interface AcpSession {
  /** The thread's id, which the client knows it by. */
  readonly id: string;
  readonly agent: StartedAgent;
  /** What was said in it before. */
  history(): Iterable<StoredEntry>;
  close(): Promise<void>;
}

/** What ACP is put in front of. */
export interface AcpBackend {
  /** Throws an `Error` with the remedy if the session can't be opened; a `ToolError` `not-found` if there is none. */
  open(open: AcpOpen): Promise<AcpSession>;
  /** The threads there are, of a workspace if one is given. */
  list(cwd: string | undefined): readonly ThreadSummary[];
  /** The primary agents, which are the modes. */
  modes(
    cwd: string,
  ): readonly { readonly id: string; readonly name: string; readonly description: string }[];
}
