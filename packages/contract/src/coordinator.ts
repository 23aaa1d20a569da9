import type { Tool } from "./tool.ts";

/** Ends a subscription or takes back what was mounted. */
export type Cleanup = () => void | Promise<void>;

/** What a module gets to hang its tools and contributions on. */
export interface Coordinator {
  /** Adds a tool to the mount point `tools`. */
  mount(point: "tools", tool: Tool, options?: { readonly name?: string }): Promise<void>;
  /** Offers values on a channel, such as event names on `observability.events`. */
  registerContributor(channel: string, name: string, contribute: () => unknown): Cleanup;
  /** What all contributors of a channel offer now; one that throws is left out. */
  collectContributions(channel: string): Promise<unknown[]>;
}
