import type { McpEndpoint } from "../invoke/tool-offer.ts";
import type { ListenOptions, RequestHandler } from "../listen.ts";
import type { MachineService } from "../machine/machine-service.ts";
import type { Log } from "../operations/logging.ts";
import type { Bootstrap } from "../organizations/bootstrap.ts";
import type { PlatformRole } from "./open-execution-backend.ts";
import type { PlatformStorageOptions } from "./open-platform-parts.ts";

/** Options of a platform. */
export interface PlatformOptions extends PlatformStorageOptions, Omit<ListenOptions, "onTlsError"> {
  readonly role: PlatformRole;
  readonly version: string;
  readonly log?: Log;
  /** Handles requests that are not for the API. */
  readonly beside?: RequestHandler;
  /** Serves an organization's tools to MCP clients. Default: there is no MCP endpoint. */
  readonly mcp?: McpEndpoint;
  /**
   * A user's state directory. Its calls that wait for approval are in the inbox of the organization that
   * `credentials.json` names, for its administrators. Default: the inbox has no calls of sessions.
   */
  readonly sessionState?: string;
  /** What agents did on this machine. Default: the API does not show it. */
  readonly machine?: MachineService;
  /** How long running work may take after `close`. Default: 10 seconds. */
  readonly graceMs?: number;
}

/** A running platform. */
export interface Platform {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** How to sign in for the first time; `undefined` for workers. */
  readonly bootstrap: Bootstrap | undefined;
  /** Resolves to the reason why tools can't be run here; `undefined` if they can. */
  readonly trouble: Promise<string | undefined>;
  /** Waits for running work, then stops. */
  close(): Promise<void>;
}
