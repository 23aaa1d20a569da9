import type { Usage } from "./agent-event.ts";
import type { AgentLimits } from "./agent-limits.ts";
import { findReachedLimit, type TurnStop } from "./turn-limits.ts";
import { addUsage, noUsage } from "./usage.ts";

/** Counts the usage of a turn including its subagents, because limits apply to both. */
export interface UsageMeter {
  /** Whether a cost limit requires prices. */
  readonly needsPrices: boolean;
  /** Resets the count for a new turn. */
  start(): void;
  /** Adds usage, here and in the parents' meters. */
  add(usage: Usage): void;
  /** Returns the limit that is reached after this many steps, here or in a parent. */
  findReached(steps: number): TurnStop | undefined;
}

/** Creates a meter with limits. Its usage also counts for the parent's meter. */
export function createUsageMeter(limits: AgentLimits, above?: UsageMeter): UsageMeter {
  let used = noUsage;
  return {
    needsPrices: limits.maxCost !== undefined || above?.needsPrices === true,
    start: () => {
      used = noUsage;
    },
    add: (usage) => {
      used = addUsage(used, usage);
      above?.add(usage);
    },
    // Steps are not shared.
    findReached: (steps) =>
      findReachedLimit(limits, { steps, usage: used }) ?? above?.findReached(0),
  };
}
