import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

async function open(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), "haft-reader-"));
  const store = await openStore({ kind: "sqlite", path: join(directory, "haft.db") });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

const slow = sql<{ count: number }>`
  with recursive counter (n) as (select 1 union all select n + 1 from counter where n < 500000)
  select count(*) as count from counter`;

it("reads what was committed, and writes nothing", async () => {
  const { db, reader } = await open();
  await db.insertInto("settings").values({ name: "color", value: "red" }).execute();
  const read = () => reader.selectFrom("settings").select("value").where("name", "=", "color");
  expect(await read().execute()).toEqual([{ value: "red" }]);
  await db.updateTable("settings").set({ value: "blue" }).where("name", "=", "color").execute();
  expect(await read().execute()).toEqual([{ value: "blue" }]);
  await expect(reader.deleteFrom("settings").execute()).rejects.toThrow("read-only");
  await expect(sql`select 1 from nowhere`.execute(reader)).rejects.toThrow("nowhere");
});

it("lets this thread go on while queries run, and begins none that were aborted", async () => {
  const { db, reader } = await open();
  const order: string[] = [];
  const stop = new AbortController();
  const running = [1, 2].map(() => slow.execute(reader).then(() => order.push("slow")));
  const waiting = slow.execute(reader, { signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow();
  await db.selectFrom("settings").selectAll().execute();
  order.push("quick");
  await Promise.all(running);
  expect(order).toEqual(["quick", "slow", "slow"]);
});
