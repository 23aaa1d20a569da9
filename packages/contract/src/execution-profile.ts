/** What kind of thing a resource key names. */
export type ResourceType = "file" | "host" | "command" | "name";

/**
 * One thing that a call reads or changes. The scheduler keeps conflicting calls apart by it; the
 * capability and rule steps judge it.
 */
export interface ResourceKey {
  /** A path as the arguments give it, a host, a command line, or any name of the tool's own. */
  readonly key: string;
  readonly mode: "read" | "write";
  /** `file` unless said. `name` is for what is neither file, host nor command. */
  readonly type?: ResourceType;
  /** The key is a directory and stands for everything below it. */
  readonly tree?: boolean;
  /** For a command: the directory it starts in, the first workspace root unless said. */
  readonly cwd?: string;
}

/** How a tool's calls may run beside others. A tool without a profile conflicts with everything. */
export interface ExecutionProfile<Args> {
  /**
   * Runs alone in its session. A call that runs a command does so anyway, unless the command is
   * known to read only.
   */
  readonly serial?: boolean;
  /** Must be a pure function of the arguments. */
  resourceKeys?(args: Args): readonly ResourceKey[];
}
