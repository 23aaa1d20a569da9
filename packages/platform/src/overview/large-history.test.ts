import { expect, it } from "vitest";
import type { Route } from "../api/route.ts";
import type { NewInvocation } from "../history/history.ts";
import { type HistoryBench, openHistory } from "../history/test-support/open-history.ts";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { overviewRoutes } from "./overview-routes.ts";
import type { InvocationGroup, InvocationSummary } from "./overview-schemas.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const [greet, refund] = [newId(), newId()];

interface Page {
  readonly invocations: readonly InvocationSummary[];
  readonly continuation_token: string | null;
}

describeStores("the overview of a long history", (stores) => {
  const open = async (): Promise<HistoryBench> => {
    const routes = (parts: Parameters<typeof overviewRoutes>[0]) =>
      overviewRoutes(parts) as Route[];
    return openHistory(await stores.open(), { settings: { historyDays: 1 }, routes });
  };

  /** The pages of a query, as lists of outputs. */
  const readPages = async (
    bench: HistoryBench,
    query: Record<string, string>,
  ): Promise<readonly string[]> => {
    const found: string[] = [];
    let token: string | null = "";
    while (token !== null) {
      const more = token === "" ? {} : { continuation_token: token };
      const page: Page = await bench.call<Page>("get-invocation-summaries", {
        query: { ...query, ...more },
      });
      found.push(...page.invocations.map(({ excerpt }) => excerpt));
      token = page.continuation_token;
    }
    return found;
  };

  it("finds the few that pass a filter, by age and by words, on pages that join", async () => {
    const bench = await open();
    const rare = new Set([17, 4_000, 4_001, 5_900]);
    const rows = Array.from({ length: 6_000 }, (_, index): Partial<NewInvocation> => {
      const tool_id = rare.has(index) ? refund : greet;
      return { tool_id, created_at: start + index, output: `apples ${index}` };
    });
    await bench.record(...rows);
    const expected = ["apples 5900", "apples 4001", "apples 4000", "apples 17"];
    expect(await readPages(bench, { tool_id: refund })).toEqual(expected);
    expect(await readPages(bench, { tool_id: refund, limit: "1" })).toEqual(expected);
    expect(await readPages(bench, { query: "apples", tool_id: refund, limit: "3" })).toEqual(
      expected,
    );
    // Nothing in the index tells this.
    const others = { query: "apples", not_tool_id: greet };
    expect(await readPages(bench, others)).toEqual(expected);
    const from = new Date(start + 4_001).toISOString();
    expect(await readPages(bench, { ...others, from })).toEqual(expected.slice(0, 2));
    const to = new Date(start + 4_001).toISOString();
    expect(await readPages(bench, { ...others, to })).toEqual(expected.slice(2));
    expect(await readPages(bench, { tool_id: refund, to })).toEqual(expected.slice(2));
  }, 60_000);

  it("counts by version whether hours are whole, cut, deleted or not indexed yet", async () => {
    const bench = await open();
    const record = (hours: number, row: Partial<NewInvocation> = {}): Promise<string[]> =>
      bench.record({ tool_id: greet, created_at: start + hours * hourMs, duration_ms: 7, ...row });
    const failed = { succeeded: 0, output: null, exception_type: "RangeError" } as const;
    for (const hours of [0.5, 1.2, 1.8, 2.1]) await record(hours);
    await record(2.4, { ...failed, duration_ms: 900 });
    await record(2.6, { tool_id: refund, minor: 3 });
    const count = async (query: Record<string, string>): Promise<readonly string[]> => {
      const { groups } = await bench.call<{ groups: readonly InvocationGroup[] }>(
        "get-invocation-statistics",
        { query: { group_by: "version", ...query } },
      );
      return groups.map(({ tool_id, count, failed, max_ms, p95_ms }) =>
        [tool_id === greet ? "greet" : "refund", count, failed, max_ms, p95_ms].join(" "),
      );
    };
    const at = (hours: number): string => new Date(start + hours * hourMs).toISOString();
    expect(await count({})).toEqual(["greet 5 1 900 900", "refund 1 0 7 7"]);
    expect(await count({ from: at(1.5) })).toEqual(["greet 3 1 900 900", "refund 1 0 7 7"]);
    expect(await count({ from: at(1), to: at(2.2) })).toEqual(["greet 3 0 7 7"]);
    expect(await count({ from: at(1.9), to: at(2.5) })).toEqual(["greet 2 1 900 900"]);
    expect(await count({ not_tool_id: greet })).toEqual(["refund 1 0 7 7"]);
    expect(await count({ not_version: "1.3.0", from: at(0) })).toHaveLength(1);
    expect(await count({ succeeded: "true" })).toEqual(["greet 4 0 7 7", "refund 1 0 7 7"]);
    await record(2.9);
    expect(await count({ from: at(2) })).toEqual(["greet 3 1 900 900", "refund 1 0 7 7"]);
    bench.wait(25.5 * hourMs);
    await bench.history.tidy();
    expect(await count({})).toEqual(["greet 4 1 900 900", "refund 1 0 7 7"]);
    bench.wait(2 * hourMs);
    await bench.history.tidy();
    expect(await count({})).toEqual([]);
  });
});
