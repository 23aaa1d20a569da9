import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { defaultSettings } from "../platform-settings.ts";
import { openStore } from "../store/open-store.ts";
import type { Store, StoreLocation } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { beat, isAlive, startHeartbeat } from "./heartbeat.ts";
import { openHistory, sampleRow } from "./test-support/open-history.ts";

const dayMs = 24 * 60 * 60 * 1000;

describeStores("createHistory", (stores) => {
  it("has written an invocation when it says so", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    const elsewhere = await openStore(location);
    const { history } = openHistory(store);
    const row = sampleRow();
    await history.begin(row).end(row);
    // Another connection sees only what is committed.
    expect(await readIds(elsewhere)).toEqual([row.id]);
    await history.close();
    await store.close();
    await elsewhere.close();
  });

  it("is durable: a process killed right afterwards loses nothing", async () => {
    const location = await stores.locate();
    const child = runHistory(
      location,
      `const row = sampleRow({ output: "durable" });
       await history.begin(row).end(row);
       process.stdout.write(row.id + "\\n");
       await new Promise(() => setInterval(() => {}, 1000));`,
    );
    const id = await child.line();
    await child.kill();
    const store = await openStore(location);
    expect(await readIds(store)).toEqual([id]);
    if (store.kind === "sqlite") {
      const { rows } = await sql`pragma synchronous`.execute(store.db);
      expect(rows).toEqual([{ synchronous: 2 }]);
    }
    await store.close();
  });

  it("writes what ends at the same moment in one transaction", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    const sizes: number[] = [];
    const { history } = openHistory(store, {
      onGroup: (rows) => sizes.push(rows),
    });
    const before = await countTransactions(store, location);
    const rows = Array.from({ length: 100 }, () => sampleRow());
    await Promise.all(rows.map((row) => history.begin(row).end(row)));
    expect(sizes).toEqual([100]);
    expect((await countTransactions(store, location)) - before).toBe(1);
    expect(await readIds(store)).toEqual(rows.map(({ id }) => id));
    await history.close();
    await store.close();
  });

  it("writes what ends meanwhile with the next one, however many", async () => {
    const store = await stores.open();
    const sizes: number[] = [];
    const { history } = openHistory(store, {
      onGroup: (rows) => sizes.push(rows),
    });
    let left = 600;
    const endSome = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const row = sampleRow();
        await history.begin(row).end(row);
      }
    };
    await Promise.all(Array.from({ length: 300 }, endSome));
    await history.close();
    expect(sizes.reduce((sum, size) => sum + size)).toBe(600);
    expect(sizes.length).toBeLessThan(8);
    expect(new Set(await readIds(store)).size).toBe(600);
  });

  it("keeps the index close behind the rows, whether or not anybody searches", async () => {
    const store = await stores.open();
    const bench = openHistory(store);
    const readEnd = async (): Promise<number | undefined> => {
      const { rows } = await sql<{ upto: number }>`
        select upto from invocation_search_state`.execute(store.db);
      return rows[0]?.upto;
    };
    await bench.record(...Array.from({ length: 600 }, () => ({})));
    await vi.waitFor(async () => expect(await readEnd()).toBe(512));
    // Long texts do not wait for so many.
    await bench.record({ output: "word ".repeat(60_000) });
    await vi.waitFor(async () => expect(await readEnd()).toBeGreaterThan(512));
    await bench.history.close();
  });

  it("keeps what it is given", async () => {
    const store = await stores.open();
    const { history } = openHistory(store);
    const row = sampleRow({
      source_type: "simulation-conversation",
      simulation_run_id: "d".repeat(24),
      unit_test_id: "e".repeat(24),
      run_index: 3,
      source_metadata: '{"type":"engage-user"}',
      output: "a\0b 東京 🚀 '); drop table invocations; --",
      duration_ms: 12.6,
    });
    await history.begin(row).end(row);
    expect(await store.db.selectFrom("invocations").selectAll().executeTakeFirst()).toEqual({
      ...row,
      seq: 1,
      apart: null,
      conversation_id: null,
      interaction_id: null,
      exception_type: null,
      exception_message: null,
      exception_stack_trace: null,
      output: row.output?.replace("\0", "\ufffd"),
      duration_ms: 13,
      printed: null,
      caller: null,
      retry_of: null,
      unrecorded: null,
    });
    await history.close();
  });

  it("says so to everybody who waits when it can't write, and continues later", async () => {
    const store = await stores.open();
    const { history } = openHistory(store);
    const end = (): Promise<void> => history.begin(sampleRow()).end(sampleRow());
    await end();
    await sql`alter table invocations rename to elsewhere`.execute(store.db);
    const results = await Promise.allSettled([end(), end(), end()]);
    for (const result of results) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: {
          message: expect.stringMatching(/^Invocation [0-9a-f]{24} is not recorded: ./),
        },
      });
    }
    await sql`alter table elsewhere rename to invocations`.execute(store.db);
    await end();
    expect(await readIds(store)).toHaveLength(2);
    await history.close();
  });

  it("records the other rows if the store refuses one", async () => {
    const store = await stores.open();
    const { history } = openHistory(store);
    const good = [sampleRow(), sampleRow()] as const;
    const bad = sampleRow({ id: good[0].id });
    const rows = [good[0], bad, good[1]];
    const results = await Promise.allSettled(rows.map((row) => history.begin(row).end(row)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await readIds(store)).toEqual(good.map(({ id }) => id));
    await history.close();
  });

  it("writes what waits when it is closed, and nothing after", async () => {
    const store = await stores.open();
    const { history } = openHistory(store);
    const row = sampleRow();
    const late = history.begin(sampleRow());
    const ended = history.begin(row).end(row);
    await history.close();
    expect(await readIds(store)).toEqual([row.id]);
    await ended;
    await expect(late.end(sampleRow())).rejects.toThrow("history is closed");
  });

  it("writes down what takes long, and replaces that by how it ended", async () => {
    const store = await stores.open();
    const { history } = openHistory(store, { longMs: 5 });
    const [short, long] = [sampleRow(), sampleRow()];
    const running = history.begin(long);
    await history.begin(short).end(short);
    await vi.waitFor(async () => expect(await readRunning(store)).toEqual([long.id]));
    await running.end({ ...long, output: "at last" });
    expect(await readRunning(store)).toEqual([]);
    expect(await readIds(store)).toEqual([short.id, long.id]);
    await history.close();
  });

  it("records what a killed process had under way as failed, once", async () => {
    const location = await stores.locate();
    const child = runHistory(
      location,
      `for (let count = 0; count < 3; count++) history.begin(sampleRow({ output: undefined }));
       while ((await store.db.selectFrom("running_invocations").selectAll().execute()).length < 3)
         await new Promise((resolve) => setTimeout(resolve, 5));
       process.stdout.write("running\\n");
       await new Promise(() => setInterval(() => {}, 1000));`,
    );
    expect(await child.line()).toBe("running");
    const store = await openStore(location);
    const { history } = openHistory(store);
    await history.tidy();
    // It lives.
    expect(await readIds(store)).toEqual([]);
    await child.kill();
    const code = 'await history.tidy(); process.stdout.write("tidy\\n"); process.exit();';
    const others = ["one", "two"].map((id) => runHistory(location, code, id));
    for (const other of others) expect(await other.line()).toBe("tidy");
    const rows = await store.db.selectFrom("invocations").selectAll().execute();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      succeeded: 0,
      output: null,
      exception_type: "WorkerDied",
      exception_message: expect.stringContaining("The server stopped before"),
      exception_stack_trace: "[]",
      inputs: '{"city":"Berlin"}',
    });
    expect(await readRunning(store)).toEqual([]);
    await store.close();
  });

  it("records the other invocations of a dead process where one is damaged", async () => {
    const store = await stores.open();
    const lost: string[] = [];
    const { history } = openHistory(store, { onLost: (id) => lost.push(id) });
    const whole = sampleRow();
    const running = { org_id: whole.org_id, owner: "dead", started_at: 1 };
    await store.db
      .insertInto("running_invocations")
      .values([
        { ...running, id: whole.id, draft: JSON.stringify(whole) },
        ...["{", "null", "7", "{}", ""].map((draft, id) => ({ ...running, id: `${id}`, draft })),
      ])
      .execute();
    await history.tidy();
    expect(await readIds(store)).toEqual([whole.id]);
    expect(lost.sort()).toEqual(["0", "1", "2", "3", "4"]);
    expect(await readRunning(store)).toEqual([]);
    await history.close();
  });

  it("believes how an invocation ended rather than that its process died", async () => {
    const store = await stores.open();
    const here = openHistory(store, { longMs: 5, processId: "here" });
    const there = openHistory(store, { processId: "there" });
    const row = sampleRow({ org_id: here.organization, output: "it lived" });
    const running = here.history.begin(row);
    await vi.waitFor(async () => expect(await readRunning(store)).toEqual([row.id]));
    // As if it had not been heard of.
    await store.db.deleteFrom("processes").execute();
    await there.history.tidy();
    const search = (query: string): Promise<{ tool_invocations: unknown[] }> =>
      here.call("search-tool-invocations", { query: { query } });
    expect((await search("stopped")).tool_invocations).toHaveLength(1);
    await running.end(row);
    expect((await search("stopped")).tool_invocations).toHaveLength(0);
    expect((await search("lived")).tool_invocations).toHaveLength(1);
    expect(await readIds(store)).toEqual([row.id]);
    await here.history.close();
    await there.history.close();
  });

  it("forgets what is too old, with its entries in the index", async () => {
    const store = await stores.open();
    const bench = openHistory(store, { settings: { historyDays: 30 } });
    await bench.record(...Array.from({ length: 450 }, () => ({ output: "old text" })));
    bench.wait(29 * dayMs);
    const [kept] = await bench.record({ output: "new text" });
    const search = async (): Promise<number> =>
      (
        await bench.call<{ tool_invocations: unknown[] }>("search-tool-invocations", {
          query: { query: "text" },
        })
      ).tool_invocations.length;
    expect(await search()).toBe(100);
    await bench.history.tidy();
    expect(await readIds(store)).toHaveLength(451);
    bench.wait(dayMs + 1);
    await bench.history.tidy();
    expect(await readIds(store)).toEqual([kept]);
    expect(await search()).toBe(1);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(
        store.kind === "sqlite" ? "invocation_search_docsize" : "invocation_search",
      )}`.execute(store.db);
    expect(rows).toEqual([{ count: 1 }]);
    // Numbers are not used again, so what comes next is found as well.
    bench.wait(31 * dayMs);
    await bench.history.tidy();
    await bench.record({ output: "next text" });
    expect(await search()).toBe(1);
    await bench.history.close();
  });

  it("keeps everything without a limit", async () => {
    const store = await stores.open();
    const bench = openHistory(store);
    await bench.record({});
    bench.wait(10_000 * dayMs);
    await bench.history.tidy();
    expect(await readIds(store)).toHaveLength(1);
    await bench.history.close();
  });

  it("knows which processes live", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    let clock = Date.now();
    let steady = 0;
    const parts = { store, processId: "here", now: () => clock, steadyNow: () => steady };
    const heartbeat = await startHeartbeat(parts, "api");
    const asked = { ...parts, processId: "asks" };
    expect(await isAlive(parts, "here")).toBe(true);
    expect(await isAlive(asked, "here")).toBe(true);
    expect(await isAlive(asked, "nobody")).toBe(false);
    // What runs on another machine is known by its heartbeat only.
    await sql`update processes set mark = null`.execute(store.db);
    expect(await isAlive(asked, "here")).toBe(true);
    // Whatever the clocks say: who has not been seen to be silent is not dead.
    for (const jump of [dayMs, -2 * dayMs]) {
      clock += jump;
      expect(await isAlive(asked, "here")).toBe(true);
    }
    steady += 31_000;
    expect(await isAlive(asked, "here")).toBe(false);
    await beat(parts, store.db);
    await sql`update processes set mark = null`.execute(store.db);
    expect(await isAlive(asked, "here")).toBe(true);
    await heartbeat.stop();
    expect(await isAlive(asked, "here")).toBe(false);
    await store.close();
  });
});

// Only SQLite can be told to have no more room.
describe("createHistory on a full disk", () => {
  it("says that it is full, and continues when it is not", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-history-"));
    const store = await openStore({
      kind: "sqlite",
      path: join(directory, "haft.db"),
    });
    const bench = openHistory(store);
    await bench.record({});
    await setMaxPages(store, 1);
    // It can't be compressed much.
    const output = randomBytes(500_000).toString("hex");
    await expect(bench.record({ output })).rejects.toThrow(/is not recorded: .*full/);
    await setMaxPages(store, 1_000_000);
    await bench.record({ output });
    expect(await readIds(store)).toHaveLength(2);
    await bench.history.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });
});

async function readIds({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom("invocations").select("id").orderBy("seq").execute();
  return rows.map(({ id }) => id);
}

async function readRunning({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom("running_invocations").select("id").execute();
  return rows.map(({ id }) => id);
}

async function setMaxPages({ db }: Store, pages: number): Promise<void> {
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db);
}

/** How many transactions have written so far. */
async function countTransactions(store: Store, location: StoreLocation): Promise<number> {
  if (location.kind === "postgres") {
    const { rows } = await sql<{ count: number }>`
      select count(distinct xmin::text) as count from invocations`.execute(store.db);
    return rows[0]?.count ?? 0;
  }
  // In the write-ahead log the last page of each transaction tells how long the file is then.
  const log = readFileSync(`${location.path}-wal`);
  const pageBytes = log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + 24 + pageBytes <= log.length; at += 24 + pageBytes) {
    if (log.readUInt32BE(at + 4) > 0) count += 1;
  }
  return count;
}

interface Child {
  /** The next line that it prints. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

/** Runs code that uses `store`, `history` and `sampleRow` in a process of its own. */
function runHistory(location: StoreLocation, code: string, processId = "child"): Child {
  const load = (path: string): string => JSON.stringify(import.meta.resolve(path));
  const source = `
    import { openStore } from ${load("../store/open-store.ts")};
    import { createHistory } from ${load("./create-history.ts")};
    import { sampleRow } from ${load("./test-support/open-history.ts")};
    const store = await openStore(${JSON.stringify(location)});
    const settings = ${JSON.stringify(defaultSettings)};
    const parts = { store, settings, processId: "${processId}", now: Date.now };
    const history = createHistory(parts, { longMs: 5 });
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    line: async () => (await lines.next()).value ?? "",
    kill: async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
