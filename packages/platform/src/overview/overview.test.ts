import { expect, it } from "vitest";
import type { Route } from "../api/route.ts";
import { openHistory } from "../history/test-support/open-history.ts";
import { createCallers } from "../invoke/callers.ts";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { watchOrganization } from "./organization-events.ts";
import { overviewRoutes } from "./overview-routes.ts";
import type { InvocationGroup, InvocationSummary } from "./overview-schemas.ts";

interface Page {
  readonly invocations: readonly InvocationSummary[];
  readonly continuation_token: string | null;
}

const [greet, refund] = [newId(), newId()];
const start = Date.UTC(2026, 0, 1);

describeStores("the overview of invocations", (stores) => {
  const open = async () => {
    const store = await stores.open();
    const bench = openHistory(store, {
      routes: (parts) => overviewRoutes(parts) as Route[],
    });
    const { organization } = bench;
    const callers = createCallers(store);
    const [ci, desk] = [newId(), newId()];
    const [byCi, byDesk] = [
      await callers.find({ organization, keyId: ci, userId: "ada" }, "curl"),
      await callers.find({ organization, keyId: desk, userId: "bob" }, "node"),
    ];
    const failed = { succeeded: 0 as const, output: null, exception_type: "RangeError" };
    const ids = await bench.record(
      { tool_id: greet, caller: byCi, created_at: start, output: "x".repeat(100_000) },
      {
        tool_id: greet,
        caller: byDesk,
        created_at: start + 1_000,
        ...failed,
        exception_message: "no apples",
      },
      {
        tool_id: refund,
        caller: byCi,
        created_at: start + 61_000,
        duration_ms: 400,
        output: "pears",
      },
      {
        tool_id: refund,
        minor: 2,
        created_at: start + 62_000,
        source_type: "mcp",
        output: "apples and pears",
      },
    );
    await bench.enter(newId()).record({ tool_id: greet, output: "apples elsewhere" });
    const list = (query: Record<string, string | string[]> = {}): Promise<Page> =>
      bench.call<Page>("get-invocation-summaries", { query });
    const find = async (query: Record<string, string | string[]>): Promise<number[]> =>
      (await list(query)).invocations.map(({ id }) => ids.indexOf(id));
    return { store, bench, ids, ci, desk, list, find };
  };

  it("lists without payloads, filters by and against several values, and pages by time", async () => {
    const { bench, ids, ci, desk, list, find } = await open();
    const all = await list();
    expect(JSON.stringify(all).length).toBeLessThan(3_000);
    expect(all.invocations.map(({ id }) => ids.indexOf(id))).toEqual([3, 2, 1, 0]);
    expect(all.invocations[2]).toMatchObject({
      succeeded: false,
      exception_type: "RangeError",
      excerpt: "no apples",
    });
    expect(all.invocations[3]?.excerpt).toBe("x".repeat(200));

    expect(await find({ tool_id: greet })).toEqual([1, 0]);
    expect(await find({ not_tool_id: greet })).toEqual([3, 2]);
    expect(await find({ tool_id: [greet, refund], not_version: "1.2.0" })).toEqual([2, 1, 0]);
    expect(await find({ succeeded: "false" })).toEqual([1]);
    expect(await find({ api_key: [ci, desk] })).toEqual([2, 1, 0]);
    expect(await find({ not_api_key: ci })).toEqual([3, 1]);
    expect(await find({ not_user_id: "bob" })).toEqual([3, 2, 0]);
    expect(await find({ source: "mcp" })).toEqual([3]);
    expect(await find({ not_error: "RangeError" })).toEqual([3, 2, 0]);
    expect(await find({ error: "RangeError" })).toEqual([1]);
    const from = new Date(start + 1_000).toISOString();
    expect(await find({ from, to: new Date(start + 62_000).toISOString() })).toEqual([2, 1]);
    expect(await find({ query: "apples" })).toEqual([3, 1]);
    expect(await find({ query: "apples", succeeded: "true" })).toEqual([3]);

    const pages: number[][] = [];
    let token: string | null = "";
    while (token !== null) {
      const page: Page = await list({
        limit: "3",
        ...(token !== "" && { continuation_token: token }),
      });
      pages.push(page.invocations.map(({ id }) => ids.indexOf(id)));
      token = page.continuation_token;
    }
    expect(pages).toEqual([[3, 2, 1], [0]]);
    await bench.history.close();
  });

  it("counts over time and by tool, version and caller", async () => {
    const { bench } = await open();
    const query = {
      from: new Date(start).toISOString(),
      to: new Date(start + 120_000).toISOString(),
      buckets: "2",
    };
    const count = (more: object = {}): Promise<object> =>
      bench.call("get-invocation-volume", { query: { ...query, ...more } });
    expect(await count()).toMatchObject({ bucket_ms: 60_000, succeeded: [1, 2], failed: [1, 0] });
    expect(await count({ not_tool_id: refund })).toMatchObject({ succeeded: [1, 0] });
    expect(await count({ query: "apples" })).toMatchObject({ succeeded: [0, 1], failed: [1, 0] });
    const group = async (group_by: string): Promise<readonly InvocationGroup[]> =>
      (
        await bench.call<{ groups: readonly InvocationGroup[] }>("get-invocation-statistics", {
          query: { group_by },
        })
      ).groups;
    const byTool = await group("tool");
    expect(byTool.find(({ tool_id }) => tool_id === refund)).toMatchObject({
      ...{ count: 2, failed: 0, max_ms: 400, p95_ms: 400 },
    });
    expect(await group("version")).toHaveLength(3);
    expect(
      (await group("caller")).map(({ caller, count: calls }) => [caller?.client, calls]),
    ).toEqual(
      expect.arrayContaining([
        ["curl", 2],
        ["node", 1],
      ]),
    );
    await bench.history.close();
  });

  it("streams what has ended after an event, and changes of the inbox", async () => {
    const { store, bench, ids } = await open();
    const stop = new AbortController();
    const principal = {
      ...{ organization: bench.organization, userId: "u", keyId: "k", role: "r" },
      may: () => true,
    };
    const rows = await store.db.selectFrom("invocations").select(["seq", "id"]).execute();
    const after = String(rows.find(({ id }) => id === ids[2])?.seq);
    const seen: unknown[] = [];
    for await (const event of watchOrganization(
      { store },
      { principal, signal: stop.signal, after },
    )) {
      seen.push([event.event, event.data]);
      if (event.event === "inbox") stop.abort();
    }
    expect(seen).toEqual([
      ["ready", {}],
      ["invocation", { id: ids[3], tool_id: refund, succeeded: true }],
      ["inbox", { waiting: 0 }],
    ]);
    await bench.history.close();
  });
});
