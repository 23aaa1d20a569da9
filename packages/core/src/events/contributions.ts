import type { Cleanup, Coordinator } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";

/** The channels on which modules offer values. */
export type Contributions = Pick<Coordinator, "registerContributor" | "collectContributions">;

/** Creates channels without contributors. `report` is called for contributors that throw. */
export function createContributions(report: (message: string) => void = () => {}): Contributions {
  const channels = new Map<string, Map<string, () => unknown>>();
  return {
    registerContributor: (channel, name, contribute): Cleanup => {
      const contributors = channels.get(channel) ?? new Map<string, () => unknown>();
      channels.set(channel, contributors);
      contributors.set(name, contribute);
      return () => {
        if (contributors.get(name) === contribute) contributors.delete(name);
      };
    },
    collectContributions: async (channel) => {
      const collected: unknown[] = [];
      for (const [name, contribute] of channels.get(channel) ?? []) {
        try {
          const offered = await contribute();
          if (offered !== undefined && offered !== null) collected.push(offered);
        } catch (error) {
          report(`Contributor ${name} on ${channel} threw: ${toErrorMessage(error)}`);
        }
      }
      return collected;
    },
  };
}
