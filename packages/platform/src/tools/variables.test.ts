import { expect, it } from "vitest";
import { describeStores } from "../test-support/describe-stores.ts";
import { createVariableReader } from "./create-variable-reader.ts";
import { insertVersion } from "./test-support/insert-version.ts";
import { type Caller, openTools, type ToolBench } from "./test-support/open-tools.ts";
import type { ToolPage } from "./tool-schemas.ts";

interface Fixture {
  readonly bench: ToolBench;
  readonly caller: Caller;
  readonly toolId: string;
  change(body: unknown): Promise<{ readonly status: number }>;
  /** The names of plain and of secret variables. */
  show(): Promise<readonly [readonly string[], readonly string[]]>;
  /** Values by name, as a tool sees them. */
  read(): Promise<Readonly<Record<string, string>>>;
}

describeStores("variables", (stores) => {
  const open = async (): Promise<Fixture> => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const toolId = await caller.createTool("tool");
    const reader = createVariableReader(bench.parts);
    return {
      bench,
      caller,
      toolId,
      change: (body) => caller.call("modify-tool-envvars", { params: { tool_id: toolId }, body }),
      show: async () => {
        const [tool] = (await caller.get<ToolPage>("get-tools")).tools;
        return [tool?.envvars ?? [], tool?.secret_envvars ?? []];
      },
      read: async () => (await reader.read(caller.organization, toolId)).values,
    };
  };
  const insert = (name: string, value: string, is_secret = false): Record<string, unknown> => ({
    inserts: [{ name, value, is_secret }],
  });

  it("are inserted, updated and deleted in one call", async () => {
    const { bench, caller, toolId, change, show, read } = await open();
    expect((await change({})).status).toBe(204);
    await change({
      inserts: [
        { name: " URL ", value: "http://a", is_secret: false },
        { name: "API_KEY", value: "s3cret\u0000", is_secret: true },
        { name: "A", value: "", is_secret: false },
      ],
    });
    expect(await show()).toEqual([["A", "URL"], ["API_KEY"]]);
    expect(await read()).toEqual({
      URL: "http://a",
      API_KEY: "s3cret\u0000",
      A: "",
    });
    await change({
      inserts: [{ name: "B", value: "b", is_secret: true }],
      updates: [{ name: "API_KEY", value: "other" }],
      deletes: [{ name: "A" }],
    });
    expect(await show()).toEqual([["URL"], ["API_KEY", "B"]]);
    expect(await read()).toMatchObject({ API_KEY: "other", B: "b" });
    const { db } = bench.parts.store;
    const rows = await db.selectFrom("tool_variables").selectAll().orderBy("name").execute();
    expect(rows.map(({ name, value }) => [name, value])).toEqual([
      ["A", ""],
      ...[
        ["API_KEY", "other"],
        ["B", "b"],
        ["URL", "http://a"],
      ].map(([name, value]) => [
        name,
        JSON.stringify([value, ["tool-variable", caller.organization, toolId, name]]),
      ]),
    ]);
    const audit = await db.selectFrom("audit").select("detail").execute();
    expect(JSON.stringify(audit)).toContain("API_KEY");
    expect(JSON.stringify(audit)).not.toMatch(/s3cret|other/);
  });

  it("change all or not at all", async () => {
    const { change, show, read } = await open();
    await change(insert("OLD", "1"));
    const good = { inserts: [{ name: "NEW", value: "2", is_secret: false }] };
    for (const bad of [
      { ...good, updates: [{ name: "UNKNOWN", value: "3" }] },
      { ...good, updates: [{ name: "OLD", value: "3" }], deletes: [{ name: "UNKNOWN" }] },
      { inserts: [...good.inserts, { name: "OLD", value: "3", is_secret: true }] },
    ]) {
      await expect(change(bad)).rejects.toThrow(/UNKNOWN|OLD/);
      expect(await show()).toEqual([["OLD"], []]);
      expect(await read()).toEqual({ OLD: "1" });
    }
  });

  it("are refused when they can't be", async () => {
    const { change } = await open();
    await change(insert("TAKEN", "1"));
    const cases: readonly [number, RegExp, Record<string, unknown>][] = [
      [409, /TAKEN already/, insert("TAKEN", "2")],
      [400, /no variable NONE/, { updates: [{ name: "NONE", value: "2" }] }],
      [400, /no variable NONE/, { deletes: [{ name: "NONE" }] }],
      [400, /A is named twice/, { ...insert("A", "1"), deletes: [{ name: " A" }] }],
      [400, /A is named twice/, { updates: [1, 2].map((at) => ({ name: "A", value: `${at}` })) }],
      [400, /65536 bytes/, insert("LARGE", "é".repeat(32 * 1024 + 1))],
      [422, /name/, insert("A1", "2")],
      [422, /name/, insert("a", "2")],
      [422, /name/, insert("A\nB", "2")],
      [422, /name/, insert("", "2")],
      [422, /is_secret/, { inserts: [{ name: "A", value: "b" }] }],
      [422, /value/, { updates: [{ name: "TAKEN", value: 1 }] }],
      [422, /inserts/, { inserts: {} }],
      [422, /deletes/, { deletes: Array.from({ length: 501 }, () => ({ name: "A" })) }],
    ];
    for (const [status, message, body] of cases) {
      await expect(change(body), JSON.stringify(body).slice(0, 80)).rejects.toMatchObject({
        status,
        message: expect.stringMatching(message),
      });
    }
    await change(insert("LARGE", "é".repeat(32 * 1024)));
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const many = Array.from({ length: 499 }, (_, at) => ({
      name: `X_${letters[Math.floor(at / 26)]}_${letters[at % 26]}`,
      value: "1",
      is_secret: false,
    }));
    await expect(change({ inserts: many })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("at most 500"),
    });
    await change({ inserts: many.slice(0, 498) });
  });

  it("stay plain or secret when they are updated", async () => {
    const { change, show } = await open();
    await change({
      inserts: [
        { name: "S", value: "1", is_secret: true },
        { name: "P", value: "1", is_secret: false },
      ],
    });
    await change({
      updates: [
        { name: "S", value: "2", is_secret: false },
        { name: "P", value: "2", is_secret: true },
      ],
    });
    expect(await show()).toEqual([["P"], ["S"]]);
  });

  it("can be inserted again some time after they were deleted", async () => {
    const { bench, change, show, read } = await open();
    await change(insert("A", "1", true));
    await change({ deletes: [{ name: "A" }] });
    await expect(change(insert("A", "2"))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("a moment ago"),
    });
    await expect(change({ updates: [{ name: "A", value: "2" }] })).rejects.toMatchObject({
      status: 400,
    });
    bench.wait(bench.parts.settings.deletedVariableMs);
    await change(insert("A", "2"));
    expect(await show()).toEqual([["A"], []]);
    expect(await read()).toEqual({ A: "2" });
  });

  it("stay while a version that can be run requires them", async () => {
    const { bench, caller, toolId, change, show } = await open();
    const { store } = bench.parts;
    await change({ ...insert("PLAIN", "1") });
    await change(insert("SECRET", "1", true));
    const place = { organization: caller.organization, toolId };
    await insertVersion(
      store,
      { ...place, version: "1.0.0" },
      { required_envvars: '["PLAIN"]', required_secret_envvars: '["SECRET"]' },
    );
    await insertVersion(store, { ...place, version: "1.1.0" }, { required_envvars: '["PLAIN"]' });
    for (const name of ["PLAIN", "SECRET"]) {
      await expect(change({ deletes: [{ name }] })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(`requires the variable ${name}`),
      });
    }
    await caller.call("deprecate-tool-version", {
      params: { tool_id: toolId, versions: "1.0.0" },
    });
    await expect(change({ deletes: [{ name: "PLAIN" }] })).rejects.toThrow(/Version 1\.1\.0/);
    await change({ deletes: [{ name: "SECRET" }] });
    expect(await show()).toEqual([["PLAIN"], []]);
  });

  it("are inserted once, however many try at once", async () => {
    const { change, show } = await open();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => change(insert("A", `${at}`, at % 2 === 0))),
    );
    const failed = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(failed).toHaveLength(5);
    for (const reason of failed) expect(reason).toMatchObject({ status: 409 });
    expect((await show()).flat()).toEqual(["A"]);
  });

  it("are read from memory until something has changed", async () => {
    const { bench, caller, toolId, change } = await open();
    const { store } = bench.parts;
    const reader = createVariableReader(bench.parts);
    const read = (): ReturnType<typeof reader.read> => reader.read(caller.organization, toolId);
    await change(insert("A", "1"));
    await change(insert("B", "hidden", true));
    const known = await read();
    // 004:55: `config` holds all variables of the tool.
    expect(known).toEqual({ values: { A: "1", B: "hidden" }, secrets: ["hidden"] });
    if (store.kind === "sqlite") expect(read()).toBe(known);
    await change({ updates: [{ name: "A", value: "2" }] });
    expect(await read()).toMatchObject({ values: { A: "2" } });
    const other = await reader.read(bench.enter().organization, toolId);
    expect(other).toEqual({ values: {}, secrets: [] });
  });
});
