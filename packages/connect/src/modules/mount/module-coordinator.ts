import type { Cleanup, Coordinator } from "@haft/contract";
import type { Contributions } from "./contributions.ts";
import type { OfferedTool } from "./mounted-module.ts";

/** The coordinator of one module and the tools that the module mounted on it. */
export interface ModuleCoordinator {
  readonly coordinator: Coordinator;
  readonly offered: readonly OfferedTool[];
  /** Ignores further mounts and removes the contributions. */
  close(): void;
}

/** Creates the coordinator of one module. */
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
          throw new TypeError(`There is no mount point ${JSON.stringify(point)}. Use "tools".`);
        }
        // Tools are checked after the mount, so that a bad one does not affect the others.
        if (!isClosed) offered.push({ tool, name: options?.name });
      },
      registerContributor,
      collectContributions,
      register_contributor: registerContributor,
      collect_contributions: collectContributions,
    },
  };
}
