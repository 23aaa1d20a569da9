import type { Cleanup, Coordinator, Mount } from "../coordinator.ts";
import type { ModuleTool } from "../module-tool.ts";
import type { Tool } from "../tool.ts";

/** A tool in either form. */
type AnyTool = Tool | ModuleTool;

/**
 * A coordinator that shows what a module registered.
 *
 * @example
 * ```ts
 * import type { Mount } from "@haft/contract";
 * import { MockCoordinator, MockTool } from "@haft/contract/testing";
 *
 * const mount: Mount = () => new MockTool({ name: "greet" });
 * const coordinator = new MockCoordinator();
 * await coordinator.load(mount, {});
 * coordinator.mounted.has("greet"); // true
 * ```
 */
export class MockCoordinator implements Coordinator {
  /** The mounted tools by name. */
  readonly mounted: Map<string, AnyTool> = new Map();
  /** The contributors by channel and name. */
  readonly contributors: Map<string, Map<string, () => unknown>> = new Map();
  readonly #cleanups: Cleanup[] = [];

  async mount(
    point: "tools",
    tool: AnyTool,
    options: { readonly name?: string } = {},
  ): Promise<void> {
    const name = options.name ?? nameOf(tool);
    if (point !== "tools") throw new TypeError(`There is no mount point ${JSON.stringify(point)}.`);
    if (this.mounted.has(name)) throw new TypeError(`A tool is already mounted as ${name}.`);
    this.mounted.set(name, tool);
  }

  registerContributor(channel: string, name: string, contribute: () => unknown): Cleanup {
    const contributors = this.contributors.get(channel) ?? new Map<string, () => unknown>();
    this.contributors.set(channel, contributors);
    contributors.set(name, contribute);
    return () => {
      if (contributors.get(name) === contribute) contributors.delete(name);
    };
  }

  async collectContributions(channel: string): Promise<unknown[]> {
    const collected: unknown[] = [];
    for (const contribute of this.contributors.get(channel)?.values() ?? []) {
      try {
        const offered = await contribute();
        if (offered !== undefined && offered !== null) collected.push(offered);
      } catch {
        // The contract says that a contributor that throws is left out.
      }
    }
    return collected;
  }

  register_contributor(channel: string, name: string, contribute: () => unknown): Cleanup {
    return this.registerContributor(channel, name, contribute);
  }

  collect_contributions(channel: string): Promise<unknown[]> {
    return this.collectContributions(channel);
  }

  /** Mounts a module as a host does: a returned tool is mounted, a returned cleanup runs in `unmount`. */
  async load<Config>(mount: Mount<Config>, config: Config): Promise<void> {
    const returned = await mount(this, config);
    if (typeof returned === "function") this.#cleanups.push(returned);
    else if (returned && ![...this.mounted.values()].includes(returned)) {
      await this.mount("tools", returned);
    }
  }

  /** Runs the cleanups, latest first, and removes all tools and contributors. */
  async unmount(): Promise<void> {
    for (let last = this.#cleanups.pop(); last !== undefined; last = this.#cleanups.pop()) {
      await last();
    }
    this.mounted.clear();
    this.contributors.clear();
  }
}

function nameOf(tool: AnyTool): string {
  return "id" in tool ? tool.id : tool.name;
}
