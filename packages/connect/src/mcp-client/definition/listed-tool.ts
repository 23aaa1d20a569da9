/** A tool as its server describes it. Only the name has been checked. */
export interface ListedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** Bounds what a hostile server can make Haft store. Useful servers have at most a few thousand tools. */
export const maxTools = 20_000;
