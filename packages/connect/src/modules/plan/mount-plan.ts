/** The configuration that is passed to a module's `mount`. */
export type ModuleConfig = Readonly<Record<string, unknown>>;

/** One module of a plan. */
export interface PlanEntry {
  readonly module: string;
  /** The source as written in the plan. */
  readonly source?: string | undefined;
  readonly config: ModuleConfig;
  /** Hosts that a Python module's process may reach. */
  readonly hosts?: readonly string[] | undefined;
  /** The new name of the module's only tool, or new names by the tools' own names. */
  readonly as?: string | Readonly<Record<string, string>> | undefined;
  /** Whether its tools replace built-in tools that have their names. */
  readonly prefer?: boolean | undefined;
}

/** A parsed plan and the problems found in it. */
export interface MountPlan {
  readonly entries: readonly PlanEntry[];
  /** Entries that can't be used, with the reason. */
  readonly refused: readonly { readonly module: string; readonly why: string }[];
  /** Warnings about ignored parts. */
  readonly notes: readonly string[];
}
