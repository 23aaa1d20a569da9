import type { Usage } from "../loop/agent-event.ts";
import type { TurnStop } from "../loop/turn-limits.ts";
import { addUsage, noUsage } from "../loop/usage.ts";
import type { BudgetCheck } from "../loop/usage-meter.ts";
import type { Budget, Budgets } from "../settings/agent-settings.ts";
import type { Threads } from "../threads/threads.ts";

/** What a check of budgets needs to know. */
export interface BudgetContext {
  readonly threads: Pick<Threads, "usage">;
  /** Returns the ID of the session whose usage counts, with its subagents. */
  session(): string;
  /** Returns the name of the agent that acts. */
  agent(): string;
}

/** A check that also counts what no thread stores, such as the usage of summaries. */
export interface SharedBudgets extends BudgetCheck {
  add(usage: Usage): void;
}

/**
 * Creates the check of a person's budgets. What was used is read from the threads each time, so that
 * other processes count too.
 */
export function createBudgetCheck(
  { session, day, agents = {} }: Budgets,
  context: BudgetContext,
): SharedBudgets {
  const { threads } = context;
  let unstored = noUsage;
  const budgets = [session, day, ...Object.values(agents)];

  const checkSession = (): TurnStop | undefined =>
    session &&
    compare(session, addUsage(threads.usage({ session: context.session() }), unstored), {
      whose: "this session",
      name: "session",
      remedy: "start another session",
    });
  const checkDay = (): TurnStop | undefined =>
    day &&
    compare(day, addUsage(threads.usage({ since: startOfDay() }), unstored), {
      whose: "today's sessions",
      name: "day",
      remedy: "continue tomorrow",
    });
  const checkAgent = (): TurnStop | undefined => {
    const agent = context.agent();
    const budget = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    return (
      budget &&
      compare(budget, threads.usage({ since: startOfDay(), agent }), {
        whose: `the agent ${agent} today`,
        name: `agents.${agent}`,
        remedy: "use another agent",
      })
    );
  };

  return {
    needsPrices: budgets.some((budget) => budget?.maxCost !== undefined),
    findReached: () => checkSession() ?? checkDay() ?? checkAgent(),
    add: (usage) => {
      unstored = addUsage(unstored, usage);
    },
  };
}

interface BudgetFacts {
  readonly whose: string;
  /** Its path in the settings. */
  readonly name: string;
  readonly remedy: string;
}

function compare(
  { maxTokens, maxCost }: Budget,
  used: Usage,
  facts: BudgetFacts,
): TurnStop | undefined {
  const tokens = used.input_tokens + used.output_tokens;
  if (maxTokens !== undefined && tokens >= maxTokens) {
    return stop("max-tokens", `${tokens} tokens of ${maxTokens}`, facts);
  }
  const { cost = 0 } = used;
  if (maxCost !== undefined && cost >= maxCost) {
    return stop("max-cost", `a cost of ${cost.toFixed(4)} of ${maxCost}`, facts);
  }
  return undefined;
}

function stop(
  reason: "max-tokens" | "max-cost",
  spent: string,
  { whose, name, remedy }: BudgetFacts,
): TurnStop {
  const field = reason === "max-tokens" ? "maxTokens" : "maxCost";
  return {
    reason,
    error: `The budget is used up: ${spent}, by ${whose}. Raise budgets.${name}.${field} in ~/.config/haft/settings.json, or ${remedy}.`,
  };
}

// The person's day, not that of Greenwich.
function startOfDay(): number {
  return new Date().setHours(0, 0, 0, 0);
}
