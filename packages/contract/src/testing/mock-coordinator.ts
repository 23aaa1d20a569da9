import type { Cleanup, Coordinator } from "../coordinator.ts";
import type { Tool } from "../tool.ts";

/** What a module exports: it may return its tool, what to do at the end, or nothing. */
type Mount<Config> = (
  coordinator: Coordinator,
  config: Config,
) => Promise<Tool | Cleanup | undefined> | Promise<void>;

/** A coordinator that shows what a module hung on it. */
export class MockCoordinator implements Coordinator {
  /** The tools by the names they were mounted under. */
  readonly mounted: Map<string, Tool> = new Map();
  /** The contributors by channel and name. */
  readonly contributors: Map<string, Map<string, () => unknown>> = new Map();
  readonly #cleanups: Cleanup[] = [];

  async mount(point: "tools", tool: Tool, options: { readonly name?: string } = {}): Promise<void> {
    const name = options.name ?? tool.id;
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
        // As the contract says: one that throws is left out.
      }
    }
    return collected;
  }

  /** Mounts a module as a host does: a tool it returns is mounted, a cleanup kept for `unmount`. */
  async load<Config>(mount: Mount<Config>, config: Config): Promise<void> {
    const returned = await mount(this, config);
    if (typeof returned === "function") this.#cleanups.push(returned);
    else if (returned && ![...this.mounted.values()].includes(returned)) {
      await this.mount("tools", returned);
    }
  }

  /** Runs the cleanups, latest first, and forgets every tool and contributor. */
  async unmount(): Promise<void> {
    for (let last = this.#cleanups.pop(); last !== undefined; last = this.#cleanups.pop()) {
      await last();
    }
    this.mounted.clear();
    this.contributors.clear();
  }
}
