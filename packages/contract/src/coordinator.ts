import type { ModuleTool } from "./module-tool.ts";
import type { Tool } from "./tool.ts";

/** Ends a subscription or removes what was mounted. */
export type Cleanup = () => void | Promise<void>;

/** The interface through which a module registers its tools and contributions. */
export interface Coordinator {
  /** Adds a tool to the mount point `tools`. With `name`, the tool can be called by that name too. */
  mount(
    point: "tools",
    tool: Tool | ModuleTool,
    options?: { readonly name?: string },
  ): Promise<void>;
  /** Offers values on a channel, such as event names on `observability.events`. */
  registerContributor(channel: string, name: string, contribute: () => unknown): Cleanup;
  /** Collects the current values of all contributors of a channel. Contributors that throw are left out. */
  collectContributions(channel: string): Promise<unknown[]>;
  /** `registerContributor` under its name in Python. */
  register_contributor(channel: string, name: string, contribute: () => unknown): Cleanup;
  /** `collectContributions` under its name in Python. */
  collect_contributions(channel: string): Promise<unknown[]>;
}

/** The function that a module exports as `mount`. It may return its tool, a cleanup function or nothing. */
export type Mount<Config = Readonly<Record<string, unknown>>> = (
  coordinator: Coordinator,
  config: Config,
) => Mounted | Promise<Mounted>;

/** What `mount` may return. */
// biome-ignore lint/suspicious/noConfusingVoidType: a mount function may return nothing.
export type Mounted = Tool | ModuleTool | Cleanup | null | undefined | void;
