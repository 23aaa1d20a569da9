import type { Cleanup, Coordinator } from "@haft/contract";
import type { Contributions } from "./contribution-box.ts";
import type { OfferedTool } from "./mounted-module.ts";

/** A coordinator for one module, and what the module hung on it. */
export interface ModuleCoordinator {
  readonly coordinator: Coordinator;
  readonly offered: readonly OfferedTool[];
  /** Takes nothing more, and takes back what was contributed. */
  close(): void;
}

/** Makes a coordinator for one module. */
export function createModuleCoordinator(contributions: Contributions): ModuleCoordinator {
  const offered: OfferedTool[] = [];
  const taken: Cleanup[] = [];
  let isClosed = false;

  const registerContributor: Coordinator["registerContributor"] = (channel, name, contribute) => {
    if (isClosed) return () => {};
    if (typeof contribute !== "function") {
      throw new TypeError(`The contributor ${name} on ${channel} is not a function.`);
    }
    const take = contributions.registerContributor(channel, name, contribute);
    taken.push(take);
    return take;
  };
  const collectContributions: Coordinator["collectContributions"] = (channel) =>
    contributions.collectContributions(channel);
  return {
    offered,
    close: () => {
      isClosed = true;
      for (const take of taken) void take();
    },
    coordinator: {
      mount: async (point, tool, options) => {
        if (point !== "tools") {
          throw new TypeError(`There is no mount point ${JSON.stringify(point)}, only "tools".`);
        }
        // A tool is judged when its module has mounted, so that a bad one costs only itself.
        if (!isClosed) offered.push({ tool, name: options?.name });
      },
      registerContributor,
      collectContributions,
      register_contributor: registerContributor,
      collect_contributions: collectContributions,
    },
  };
}
