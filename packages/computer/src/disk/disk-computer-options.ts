import type { SandboxMode } from "../shell/confine-run.ts";

/** Options of `createDiskComputer`. */
export interface DiskComputerOptions {
  /** The workspace directory, or several; relative paths start at the first. */
  readonly workspace: string | readonly string[];
  /**
   * Further directories that tools and commands can read but not change. One inside the workspace is
   * part of it and can be changed.
   */
  readonly readOnlyRoots?: readonly string[];
  /** Where sessions are stored. Default: see `stateDirectory`. */
  readonly stateDirectory?: string;
  /** What `~` stands for. Default: the user's home. */
  readonly home?: string;
  /** What `{user-data}` stands for in requirement sets. */
  readonly userData?: readonly string[];
  /** What `{ad-hoc}` stands for in requirement sets. */
  readonly adHoc?: readonly string[];
  /**
   * Whether a change waits until it is flushed to disk. Default: true. Without it a killed process
   * still does no harm, but a power failure may.
   */
  readonly flush?: boolean;
  /**
   * Whether programs run in a sandbox: always, where one is available, or never. Default: `auto`.
   * Every result says which it was.
   */
  readonly sandbox?: SandboxMode;
  /**
   * Whether sandboxes show only the base system and Node: nothing of this user's home, tool-chains
   * and environment. For untrusted programs. Default: false.
   */
  readonly isBare?: boolean;
  /** Hosts that tools may reach in addition to public ones, and the only ones for commands: `HOST` or `HOST:PORT`. */
  readonly allowHosts?: readonly string[];
  /** Hosts, including private ones, for tools that require them by name; commands don't get them. */
  readonly toolHosts?: readonly string[];
  /**
   * Names of environment variables that commands get in addition to those that are known to be
   * harmless, such as `PATH`, `LANG` and `JAVA_HOME`. Values that look like secrets are hidden in
   * results. Default: none.
   */
  readonly passVariables?: readonly string[];
  /**
   * Whether jobs outlive this process until their session is closed. Default: false, they end with
   * the process.
   */
  readonly keepJobs?: boolean;
  /**
   * Whether the workspace's own rules, settings, agents, skills and scripts take effect without
   * being trusted. Only for workspaces whose content you vouch for.
   * @default false
   */
  readonly trustProject?: boolean;
}
