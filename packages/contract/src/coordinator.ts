import type { ModuleTool } from "./module-tool.ts";
import type { Tool } from "./tool.ts";

/** Ends a subscription or takes back what was mounted. */
export type Cleanup = () => void | Promise<void>;

/** What a module gets to hang its tools and contributions on. */
export interface Coordinator {
  /** Adds a tool to the mount point `tools`; with a name it can be called by that one too. */
  mount(
    point: "tools",
    tool: Tool | ModuleTool,
    options?: { readonly name?: string },
  ): Promise<void>;
  /** Offers values on a channel, such as event names on `observability.events`. */
  registerContributor(channel: string, name: string, contribute: () => unknown): Cleanup;
  /** What all contributors of a channel offer now; one that throws is left out. */
  collectContributions(channel: string): Promise<unknown[]>;
  /** `registerContributor`, as modules in Python know it. */
  register_contributor(channel: string, name: string, contribute: () => unknown): Cleanup;
  /** `collectContributions`, as modules in Python know it. */
  collect_contributions(channel: string): Promise<unknown[]>;
}

/** What a module exports as `mount`: it may return its tool, what to do at the end, or nothing. */
export type Mount<Config = Readonly<Record<string, unknown>>> = (
  coordinator: Coordinator,
  config: Config,
) => Mounted | Promise<Mounted>;

/** What `mount` may return. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is one of its ways.
export type Mounted = Tool | ModuleTool | Cleanup | null | undefined | void;
