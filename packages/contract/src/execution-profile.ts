/** What a resource key names. */
export type ResourceType = "file" | "host" | "command" | "name";

/**
 * A resource that a call reads or changes. The scheduler uses it to keep conflicting calls apart; the
 * grant and the rules are checked against it.
 */
export interface ResourceKey {
  /** A path as in the arguments, a host, a command line, or a name that the tool defines. */
  readonly key: string;
  readonly mode: "read" | "write";
  /** Default: `file`. `name` is for anything that is neither file, host nor command. */
  readonly type?: ResourceType;
  /** The key is a directory and includes everything below it. */
  readonly tree?: boolean;
  /** For a file that is written: the call also reads it, so it must be readable too. */
  readonly reads?: boolean;
  /** For a file that is written: if the path is a link, the link itself is changed, not its target. */
  readonly entry?: boolean;
  /** For a host: the port, if it is known. */
  readonly port?: number;
  /** For a command: the directory it starts in. Default: the first workspace root. */
  readonly cwd?: string;
}

/** Which calls of a tool may run at the same time as others. A tool without a profile conflicts with all calls. */
export interface ExecutionProfile<Args> {
  /**
   * The tool runs alone in its session. Calls that run a command always do, unless the command is
   * known to be read-only.
   */
  readonly serial?: boolean;
  /**
   * The call only waits for something that goes on elsewhere, or ends it. It runs at once, whatever else
   * runs, and no call waits for it. Default: false.
   */
  readonly passive?: boolean;
  /** Must be a pure function of the arguments. */
  resourceKeys?(args: Args): readonly ResourceKey[];
}
