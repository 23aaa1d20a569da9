/** A module's configuration, as its `mount` gets it. */
export type ModuleConfig = Readonly<Record<string, unknown>>;

/** One module of a plan. */
export interface PlanEntry {
  readonly module: string;
  /** Where it comes from, as the plan says. */
  readonly source?: string | undefined;
  readonly config: ModuleConfig;
  /** Hosts that its process may reach, where it has one of its own. */
  readonly hosts?: readonly string[] | undefined;
}

/** What a plan says, and what is to be said of it. */
export interface MountPlan {
  readonly entries: readonly PlanEntry[];
  /** Entries that can't be used, with the reason. */
  readonly refused: readonly { readonly module: string; readonly why: string }[];
  /** What was not understood and is left alone. */
  readonly notes: readonly string[];
}
