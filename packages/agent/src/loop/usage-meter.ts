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

/** A check of what was used in more than one turn. */
export interface BudgetCheck {
  /** Whether a cost limit requires prices. */
  readonly needsPrices: boolean;
  /** Returns the budget that is used up, if any. */
  findReached(): TurnStop | undefined;
}

/** What a meter belongs to. */
export interface MeterContext {
  /** The parent's meter, for which usage counts too. */
  readonly above?: UsageMeter | undefined;
  readonly budgets?: BudgetCheck | undefined;
}

/** Creates a meter with limits. */
export function createUsageMeter(
  limits: AgentLimits,
  { above, budgets }: MeterContext = {},
): UsageMeter {
  let used = noUsage;
  return {
    needsPrices:
      limits.maxCost !== undefined || budgets?.needsPrices === true || above?.needsPrices === true,
    start: () => {
      used = noUsage;
    },
    add: (usage) => {
      used = addUsage(used, usage);
      above?.add(usage);
    },
    // Steps are not shared.
    findReached: (steps) =>
      findReachedLimit(limits, { steps, usage: used }) ??
      budgets?.findReached() ??
      above?.findReached(0),
  };
}
