import type { MachineCost } from "../../api/machine.ts";

/** What tokens and money are grouped by. */
export type Grouping = "model" | "agent" | "day";

/** The sum of some requests. */
export interface CostRow {
  readonly name: string;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** Of the requests whose price is known. Null if none is. */
  readonly cost: number | null;
  /** Whether the price of some requests is not known. */
  readonly isPartial: boolean;
}

/** The sum of the calls of a tool. */
export type ToolRow = Omit<MachineCost["tools"][number], "day">;

/** Sums requests by model, agent or day. The most expensive come first, days in their order. */
export function groupRequests(requests: MachineCost["requests"], by: Grouping): CostRow[] {
  const rows = Array.from(
    Map.groupBy(requests, (row) => row[by]),
    ([name, own]): CostRow => {
      const sum = (of: (row: (typeof own)[number]) => number): number =>
        own.reduce((total, row) => total + of(row), 0);
      const priced = own.filter(({ cost }) => cost !== null);
      return {
        name,
        requests: sum((row) => row.requests),
        input_tokens: sum((row) => row.input_tokens),
        output_tokens: sum((row) => row.output_tokens),
        cached_tokens: sum((row) => row.cached_tokens),
        cost: priced.length === 0 ? null : sum((row) => row.cost ?? 0),
        isPartial: priced.length < own.length,
      };
    },
  );
  const weight = (row: CostRow): number => row.input_tokens + row.output_tokens;
  return by === "day"
    ? rows.sort((one, other) => (one.name < other.name ? 1 : -1))
    : rows.sort((one, other) => (other.cost ?? 0) - (one.cost ?? 0) || weight(other) - weight(one));
}

/** Sums calls by tool. Those whose results were longest come first. */
export function groupTools(tools: MachineCost["tools"]): ToolRow[] {
  return Array.from(
    Map.groupBy(tools, ({ tool }) => tool),
    ([tool, own]) =>
      own.reduce<ToolRow>(
        (sum, row) => ({
          tool,
          calls: sum.calls + row.calls,
          errors: sum.errors + row.errors,
          result_tokens: sum.result_tokens + row.result_tokens,
          duration_ms: sum.duration_ms + row.duration_ms,
        }),
        { tool, calls: 0, errors: 0, result_tokens: 0, duration_ms: 0 },
      ),
  ).sort((one, other) => other.result_tokens - one.result_tokens);
}

const exact = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

/** An amount in the currency of the prices that the agent's settings have. */
export function formatMoney(cost: number | null, isPartial = false): string {
  if (cost === null) return "unknown";
  const text = (cost !== 0 && cost < 0.1 ? small : exact).format(cost);
  return isPartial ? `${text} or more` : text;
}
