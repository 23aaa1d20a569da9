import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../new-id.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import type { Invocation } from "./invocation-schemas.ts";
import { openHistory } from "./test-support/open-history.ts";

const dayMs = 24 * 60 * 60 * 1000;

describeStores("a large payload", (stores) => {
  it("is kept apart from its row and shown with it, until both are deleted", async () => {
    const store = await stores.open();
    const bench = openHistory(store, { settings: { historyDays: 30 } });
    const long = "väldigt lång text ".repeat(1_000);
    const given = {
      inputs: JSON.stringify({ long }),
      output: `${long} wombat`,
      printed: JSON.stringify({
        stdout: { text: long, omittedCharacters: 0 },
        stderr: { text: "", omittedCharacters: 0 },
      }),
    };
    const [id = ""] = await bench.record(given, { inputs: '{"short":1}' });
    const { rows } = await sql<{ size: number }>`
      select length(inputs) + length(printed) as size from invocations
      where apart is not null`.execute(store.db);
    expect(rows).toEqual([{ size: 0 }]);

    const shown = { inputs: { long }, invocation_status: { output: given.output } };
    const page = await bench.call<{ tool_invocations: Invocation[] }>("get-tool-invocations", {
      query: { with_logs: "true" },
    });
    expect(page.tool_invocations.find((each) => each.id === id)).toMatchObject(shown);
    expect(page.tool_invocations.find((each) => each.id !== id)?.inputs).toEqual({ short: 1 });
    expect(page.tool_invocations.find((each) => each.id === id)?.logs?.stdout.text).toBe(long);
    const params = { invocation_id: id };
    expect(await bench.call("get-tool-invocation", { params })).toMatchObject(shown);
    const logs = await bench.call("get-tool-invocation-logs", { params });
    expect(logs).toMatchObject({ stdout: { text: long } });
    const found = await bench.call("search-tool-invocations", { query: { query: "wombat" } });
    expect(found).toMatchObject({ tool_invocations: [{ id, ...shown }] });

    bench.wait(31 * dayMs);
    await bench.history.tidy();
    expect(await store.db.selectFrom("invocation_payloads").select("id").execute()).toEqual([]);
    await bench.history.close();
  });
});

describeStores("retention", (stores) => {
  it("deletes by the limits of the tool, else of the organization, never beyond the server's", async () => {
    const store = await stores.open();
    const bench = openHistory(store, { settings: { historyDays: 50 } });
    const { organization } = bench;
    const [own, usual, foreign] = [newId(), newId(), newId()];
    await addTool(store, organization, own);
    await addTool(store, organization, usual);
    const other = newId();
    await addTool(store, other, foreign);
    const record = async (name: string): Promise<void> => {
      await bench.record({ tool_id: own, output: name }, { tool_id: usual, output: name });
      await bench.enter(other).record({ tool_id: foreign, output: name });
    };
    const read = async (toolId: string): Promise<(string | null)[]> =>
      (
        await store.db
          .selectFrom("invocations")
          .select("output")
          .where("tool_id", "=", toolId)
          .orderBy("seq")
          .execute()
      ).map(({ output }) => output);

    const params = { tool_id: own };
    expect(await bench.call("get-tool-retention", { params })).toEqual({
      ...{ days: 50, count: null, set_for: "server" },
    });
    await bench.call("set-retention", { body: { days: 10 } });
    const set = await bench.call("set-tool-retention", { params, body: { days: 400, count: 2 } });
    expect(set).toEqual({ days: 50, count: 2, set_for: "tool" });
    expect(bench.audited.map(({ action, target, detail }) => ({ action, target, detail }))).toEqual(
      [
        { action: "history.retention", target: organization, detail: { days: 10, count: null } },
        { action: "history.retention", target: own, detail: { days: 400, count: 2 } },
      ],
    );
    await record("first");
    bench.wait(20 * dayMs);
    await record("second");
    await record("third");
    await bench.history.tidy();
    expect(await read(own)).toEqual(["second", "third"]);
    expect(await read(usual)).toEqual(["second", "third"]);
    expect(await read(foreign)).toEqual(["first", "second", "third"]);

    expect(await bench.call("clear-tool-retention", { params })).toEqual({
      ...{ days: 10, count: null, set_for: "organization" },
    });
    bench.wait(20 * dayMs);
    await bench.history.tidy();
    expect(await read(own)).toEqual([]);
    expect(await read(foreign)).toEqual(["first", "second", "third"]);
    bench.wait(20 * dayMs);
    await bench.history.tidy();
    expect(await read(foreign)).toEqual(["second", "third"]);
    await expect(bench.call("set-retention", { body: {} })).rejects.toThrow("days, count or both");
    const wrong = { params: { tool_id: foreign }, body: { days: 1 } };
    await expect(bench.call("set-tool-retention", wrong)).rejects.toThrow("no tool");
    await bench.history.close();
  });
});

describe("the file of a SQLite store", () => {
  const open = async (
    prepare?: (path: string) => void,
  ): Promise<{ path: string; store: Store }> => {
    const directory = mkdtempSync(join(tmpdir(), "haft-store-"));
    const path = join(directory, "haft.db");
    prepare?.(path);
    const store = await openStore({ kind: "sqlite", path });
    onTestFinished(async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    });
    return { path, store };
  };

  it("shrinks to its live data while invocations are recorded", async () => {
    // A file of an earlier version.
    const { path, store } = await open((name) => {
      const old = new DatabaseSync(name);
      old.exec("PRAGMA auto_vacuum = NONE; create table kysely_old (id integer)");
      old.close();
    });
    store.shrinker?.convert();
    const bench = openHistory(store, { settings: { historyDays: 30 } });
    const text = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
    for (let part = 0; part < 10; part++) {
      await bench.record(
        ...Array.from({ length: 250 }, (_, index) => ({ output: `${text} ${part} ${index}` })),
      );
    }
    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    const before = statSync(path).size;
    bench.wait(31 * dayMs);
    let recorded = 0;
    const tidying = bench.history.tidy();
    let isTidying = true;
    void tidying.finally(() => {
      isTidying = false;
    });
    while (isTidying) recorded += (await bench.record({ output: `${text} live` })).length;
    await bench.history.tidy();
    const copy = `${path}-copy`;
    await sql`vacuum into ${copy}`.execute(store.db);
    const live = statSync(copy).size;
    expect(recorded).toBeGreaterThan(10);
    expect(statSync(path).size).toBeLessThan(before / 2);
    // Some pages stay for new rows.
    expect(statSync(path).size).toBeLessThanOrEqual(1.3 * live + 256 * 4_096);
    await bench.history.close();
  });
});

async function addTool(store: Store, organization: string, id: string): Promise<void> {
  const row = { id, org_id: organization, name: id, description: "", deprecated: 0 } as const;
  await store.db
    .insertInto("tools")
    .values({
      ...row,
      ...{ creator_user_id: "u", updated_by_user_id: "u", created_at: 0, updated_at: 0 },
      latest_version_id: null,
    })
    .execute();
}
