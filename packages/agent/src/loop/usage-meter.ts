import type { Usage } from "./agent-event.ts";
import type { AgentLimits } from "./agent-limits.ts";
import { findReachedLimit, type TurnStop } from "./turn-limits.ts";
import { addUsage, noUsage } from "./usage.ts";

/** Adds up what a turn uses, whoever uses it: limits hold for subagents too. */
export interface UsageMeter {
  /** Whether somebody wants to know what everything costs. */
  readonly needsPrices: boolean;
  /** Begins a turn. */
  start(): void;
  /** Counts what was used, here and above. */
  add(usage: Usage): void;
  /** The limit that is reached after so many steps, here or above. */
  findReached(steps: number): TurnStop | undefined;
}

/** A meter with these limits. What it counts counts as well for the one above it. */
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
    // Steps are everybody's own.
    findReached: (steps) =>
      findReachedLimit(limits, { steps, usage: used }) ?? above?.findReached(0),
  };
}
