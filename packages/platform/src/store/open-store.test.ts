import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, it, onTestFinished, vi } from "vitest";
import { createInvocationInsert } from "../history/invocation-table.ts";
import { sampleRow } from "../history/test-support/open-history.ts";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { openStore } from "./open-store.ts";

const run = promisify(execFile);

describeStores("openStore", (stores) => {
  it("makes every table, once", async () => {
    const location = await stores.locate();
    const first = await openStore(location);
    const row = { id: newId(), name: "one", created_at: Date.now() };
    await first.db.insertInto("organizations").values(row).execute();
    await first.close();
    const second = await openStore(location);
    expect(await second.db.selectFrom("organizations").selectAll().execute()).toEqual([row]);
    await second.close();
  });

  it("migrates a database of the previous edition and keeps its history", async () => {
    const location = await stores.locate();
    const before = await openStore(location);
    await createInvocationInsert(before)(before.db, [sampleRow({ output: "kept" })]);
    const line = { org_id: "o", user_id: "u", action: "a", target: "t", detail: "{}" };
    await before.db
      .insertInto("audit")
      .values({ ...line, created_at: 1 })
      .execute();
    // As it was before what tools print was kept.
    for (const index of [
      ...["invocations_by_caller", "audit_one_number", "invocations_by_retry"],
      ...["tool_versions_heads", "invocations_by_time", "invocations_failed_by_time"],
    ]) {
      await sql`drop index ${sql.ref(index)}`.execute(before.db);
    }
    for (const column of [
      ...["invocations.printed", "running_invocations.printed", "invocations.caller"],
      ...["audit.number", "audit.previous_hash", "audit.hash", "api_keys.permissions"],
      ...["tools.latest_version_id", "tool_versions.candidate"],
      ...["invocations.retry_of", "invocations.unrecorded", "invocations.apart"],
    ]) {
      const [table = "", name = ""] = column.split(".");
      await sql`alter table ${sql.table(table)} drop column ${sql.ref(name)}`.execute(before.db);
    }
    for (const table of [
      ...["callers", "audit_chains", "tool_sets", "tool_set_tools"],
      ...["latest_moves", "canaries", "async_invocations", "invocation_steps"],
      ...["invocation_events", "inbox_items", "schedules", "schedule_runs"],
      ...["webhooks", "webhook_deliveries", "webhook_attempts"],
      ...["invocation_payloads", "invocation_hours", "retention", "console_sessions"],
      ...["announced_questions"],
    ]) {
      await sql`drop table ${sql.table(table)}`.execute(before.db);
    }
    await sql`create index tool_versions_heads on tool_versions (tool_id)`.execute(before.db);
    await sql`delete from kysely_migration where name >= '0005'`.execute(before.db);
    await before.close();
    const after = await openStore(location);
    onTestFinished(() => after.close());
    const rows = await after.db.selectFrom("invocations").selectAll().execute();
    expect(rows).toMatchObject([{ output: "kept", printed: null, caller: null }]);
    const trail = await after.db.selectFrom("audit").selectAll().execute();
    expect(trail).toMatchObject([{ ...line, number: null, hash: null }]);
  });

  it("lets several processes start at once", async () => {
    const location = JSON.stringify(await stores.locate());
    const source = `import { openStore } from ${JSON.stringify(import.meta.resolve("./open-store.ts"))};
      const store = await openStore(${location});
      await store.db.selectFrom("tools").selectAll().execute();
      await store.close();`;
    const start = (): Promise<unknown> =>
      run(process.execPath, ["--input-type=module", "--eval", source]);
    await Promise.all([start(), start(), start()]);
  });

  it("keeps bytes as they are", async () => {
    const { db } = await stores.open();
    const content = new Uint8Array([0, 255, 10, 13, 0, 128]);
    await db.insertInto("artifacts").values({ digest: "d", content, created_at: 1 }).execute();
    const found = await db.selectFrom("artifacts").selectAll().executeTakeFirstOrThrow();
    expect([...found.content]).toEqual([...content]);
    expect(found.created_at).toBe(1);
  });

  it("acknowledges what is on the disk", async () => {
    const { db, kind } = await stores.open();
    if (kind === "sqlite") {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
      expect(rows).toEqual([{ synchronous: 2 }]);
    } else {
      const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(
        db,
      );
      expect(rows).toEqual([{ synchronous_commit: "on" }]);
    }
  });

  it("takes one operation at a time per tool", async () => {
    const { db } = await stores.open();
    const operation = {
      org_id: "o",
      tool_id: "t",
      kind: "publish",
      state: "checking",
      user_id: "u",
      owner: "p",
      log: "",
      error: null,
      version: null,
      started_at: 1,
    } as const;
    const start = (id: string, ended_at: number | null): Promise<unknown> =>
      db
        .insertInto("operations")
        .values({ ...operation, id, ended_at })
        .execute();
    await start("a", 2);
    await start("b", null);
    await expect(start("c", null)).rejects.toThrow(/unique/i);
  });

  it("changes its generation after a change here or in another process", async () => {
    const location = await stores.locate();
    const here = await openStore(location);
    const elsewhere = await openStore(location);
    const before = here.generation();
    expect(here.generation()).toBe(before);
    if (location.kind === "postgres") expect(before).toBeUndefined();
    else {
      here.touch();
      const touched = here.generation();
      expect(touched).not.toBe(before);
      await elsewhere.db.insertInto("settings").values({ name: "a", value: "b" }).execute();
      await expect.poll(() => here.generation()).not.toBe(touched);
    }
    await here.close();
    await elsewhere.close();
  });

  it("sees a change of another process at once, however little time has passed", async () => {
    const location = await stores.locate();
    const here = await openStore(location);
    const elsewhere = await openStore(location);
    const frozen = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => frozen.mockRestore());
    for (const name of ["a", "b", "c"]) {
      const before = here.generation();
      await elsewhere.db.insertInto("settings").values({ name, value: "" }).execute();
      if (here.kind === "sqlite") expect(here.generation()).not.toBe(before);
    }
    await here.close();
    await elsewhere.close();
  });
});
