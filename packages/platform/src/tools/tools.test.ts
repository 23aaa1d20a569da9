import { expect, it } from "vitest";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { holdOperation } from "../versions/operation-lock.ts";
import { insertVersion } from "./test-support/insert-version.ts";
import { type Caller, openTools, type Sent } from "./test-support/open-tools.ts";
import type { ToolPage } from "./tool-schemas.ts";

type Query = NonNullable<Sent["query"]>;

const list = (caller: Caller, query: Query = {}): Promise<ToolPage> =>
  caller.get<ToolPage>("get-tools", { query });
const names = async (caller: Caller, query: Query = {}): Promise<string[]> =>
  (await list(caller, query)).tools.map(({ name }) => name);

describeStores("tools", (stores) => {
  it("are shown as they were created", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const { status, body } = await caller.call("create-tool", {
      body: {
        name: "  look_up_2 ",
        description: "\n Looks things up. ",
        tags: { " team ": " red ", beta: null },
        color: "ignored",
      },
    });
    expect(status).toBe(201);
    const { id } = body as { id: string };
    expect(await list(caller)).toEqual({
      tools: [
        {
          id,
          org_id: caller.organization,
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z",
          name: "look_up_2",
          description: "Looks things up.",
          deprecated: false,
          envvars: [],
          secret_envvars: [],
          tags: [
            { key: "beta", value: null },
            { key: "team", value: "red" },
          ],
          creator: { org_id: caller.organization, user_id: caller.userId },
          updated_by: { org_id: caller.organization, user_id: caller.userId },
        },
      ],
      has_more: false,
      continuation_token: null,
      filter_values: { tags: ["beta:", "team:red"] },
    });
    const audit = await bench.parts.store.db.selectFrom("audit").selectAll().execute();
    expect(audit).toMatchObject([{ action: "tool.create", target: id, user_id: caller.userId }]);
  });

  it("are refused with a name, description or tags that can't be", async () => {
    const caller = openTools(await stores.open()).enter();
    const good = { name: "a", description: "b", tags: {} };
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, null]));
    for (const bad of [
      { name: "A" },
      { name: "a-b" },
      { name: "  " },
      { name: "a\nb" },
      { name: 1 },
      { name: undefined },
      { description: " " },
      { description: "a\u0000b" },
      { description: "x".repeat(20_001) },
      { tags: undefined },
      { tags: many },
      { tags: { "a:b": "c" } },
      { tags: { a: "*" } },
      { tags: { " ": "c" } },
      { tags: { a: "" } },
      { tags: { a: 1 } },
      { tags: { a: "b", " a": "c" } },
      { tags: { a: "x".repeat(201) } },
    ]) {
      const sent = { body: { ...good, ...bad } };
      await expect(caller.call("create-tool", sent), JSON.stringify(bad)).rejects.toMatchObject({
        status: 422,
      });
    }
    const long = { body: { ...good, name: "a".repeat(65) } };
    await expect(caller.call("create-tool", long)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("limit of 64"),
    });
    await caller.createTool("a".repeat(64));
    await caller.call("create-tool", {
      body: { ...good, tags: Object.fromEntries(Object.entries(many).slice(1)) },
    });
  });

  it("have names of which there is one at a time, in an organization", async () => {
    const bench = openTools(await stores.open());
    const [one, other] = [bench.enter(), bench.enter()];
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => one.createTool("same", { a: "b" })),
    );
    const failed = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(failed).toHaveLength(5);
    for (const reason of failed) {
      expect(reason).toMatchObject({ status: 409, message: expect.stringContaining('"same"') });
    }
    expect(await names(one)).toEqual(["same"]);
    await other.createTool("same");
    const [tool] = (await list(one)).tools;
    await one.call("deprecate-tool", { params: { tool_id: tool?.id ?? "" } });
    await one.createTool("same");
    expect(await names(one)).toEqual(["same", "same"]);
    expect(await names(one, { deprecated: "false" })).toEqual(["same"]);
  });

  it("are listed by page, in the order of their creation", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    await bench.enter().createTool("elsewhere", { not: "ours" });
    const all = Array.from({ length: 23 }, (_, at) => `tool_${(at * 7) % 23}`);
    for (const name of all) await caller.createTool(name);
    const first = await list(caller);
    expect(first.tools.map(({ name }) => name)).toEqual(all.slice(0, 10));
    expect(first).toMatchObject({ has_more: true, continuation_token: 10 });
    expect(first.filter_values).toEqual({ tags: [] });
    const second = await list(caller, { continuation_token: "10", limit: "13" });
    expect(second.tools.map(({ name }) => name)).toEqual(all.slice(10));
    expect(second).toMatchObject({
      has_more: false,
      continuation_token: null,
      filter_values: null,
    });
    expect(await names(caller, { continuation_token: "1000000000" })).toEqual([]);
    for (const query of [
      { limit: "0" },
      { limit: "21" },
      { limit: "x" },
      { continuation_token: "-1" },
      { continuation_token: "1e300" },
      { deprecated: "maybe" },
      { id: "xyz" },
    ]) {
      await expect(list(caller, query)).rejects.toMatchObject({ status: 422 });
    }
  });

  it("are listed by id, name, deprecation and tags", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const foreign = await bench.enter().createTool("foreign", { team: "red" });
    const red = await caller.createTool("red", { team: "red", level: "1" });
    const blue = await caller.createTool("blue", { team: "blue", level: "2" });
    const none = await caller.createTool("none", { team: null, level: "1" });
    await caller.createTool("plain");
    expect(await names(caller, { id: [blue, red, foreign] })).toEqual(["red", "blue"]);
    expect(await names(caller, { id: newId() })).toEqual([]);
    expect(await names(caller, { name: ["blue", "foreign"] })).toEqual(["blue"]);
    expect(await names(caller, { tag: "team:red" })).toEqual(["red"]);
    expect(await names(caller, { tag: " team : red " })).toEqual(["red"]);
    expect(await names(caller, { tag: "team:" })).toEqual(["none"]);
    expect(await names(caller, { tag: "team:*" })).toEqual(["red", "blue", "none"]);
    expect(await names(caller, { tag: "team:green" })).toEqual([]);
    expect(await names(caller, { tag: ["team:red", "team:"] })).toEqual(["red", "none"]);
    expect(await names(caller, { tag: ["team:red", "team:*"] })).toEqual(["red", "blue", "none"]);
    expect(await names(caller, { tag: ["team:red", "team:blue", "level:2"] })).toEqual(["blue"]);
    expect((await list(caller)).filter_values?.tags).toEqual([
      "level:1",
      "level:2",
      "team:",
      "team:blue",
      "team:red",
    ]);
    for (const tag of ["team", ":red", "a-b:c", "team:r*d", "team:a:b", "", "a\u0000:b"]) {
      await expect(list(caller, { tag })).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining("key:value"),
      });
    }
    await caller.call("deprecate-tool", { params: { tool_id: none } });
    expect(await names(caller, { deprecated: "true" })).toEqual(["none"]);
    expect(await names(caller, { deprecated: "false" })).toEqual(["red", "blue", "plain"]);
    await expect(list(caller, { deprecated: "" })).rejects.toMatchObject({ status: 422 });
  });

  it("are sorted as asked, the same in every database", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const ids: Record<string, string> = {};
    for (const name of ["b", "a_b", "a", "ab", "a1", "_"])
      ids[name] = await caller.createTool(name);
    const byName = ["_", "a", "a1", "a_b", "ab", "b"];
    for (const sort_by of ["+name", " name", "name"]) {
      expect(await names(caller, { sort_by })).toEqual(byName);
    }
    expect(await names(caller, { sort_by: "-name" })).toEqual(byName.toReversed());
    await caller.call("deprecate-tool", { params: { tool_id: ids.a ?? "" } });
    expect(await names(caller, { sort_by: ["-deprecated", "+name"] })).toEqual([
      "a",
      ...byName.filter((name) => name !== "a"),
    ]);
    expect((await names(caller, { sort_by: "+updated_at" })).at(-1)).toBe("a");
    expect((await names(caller, { sort_by: "-created_at" }))[0]).toBe("_");
    await expect(list(caller, { sort_by: "+color" })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining("name, deprecated, created_at, updated_at"),
    });
  });

  it("change what is said of them, not their name", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const colleague = bench.enter(caller.organization);
    const tool_id = await caller.createTool("kept", { a: "b" });
    const modify = (body: unknown): Promise<{ readonly status: number }> =>
      colleague.call("modify-tool", { params: { tool_id }, body });
    const before = await list(caller);
    for (const nothing of [{}, { description: null, tags: null, name: null }, { name: "kept" }]) {
      expect((await modify(nothing)).status).toBe(204);
    }
    expect(await list(caller)).toEqual(before);
    await modify({ description: " New. " });
    const [changed] = (await list(caller)).tools;
    expect(changed).toMatchObject({
      name: "kept",
      description: "New.",
      tags: [{ key: "a", value: "b" }],
      creator: { user_id: caller.userId },
      updated_by: { org_id: caller.organization, user_id: colleague.userId },
    });
    expect(changed?.updated_at).not.toBe(changed?.created_at);
    await modify({ tags: { c: null } });
    expect((await list(caller)).tools).toMatchObject([
      { description: "New.", tags: [{ key: "c", value: null }] },
    ]);
    await Promise.all(Array.from({ length: 5 }, (_, at) => modify({ tags: { same: `${at}` } })));
    expect((await list(caller)).tools[0]?.tags).toHaveLength(1);
    await modify({ tags: {} });
    expect((await list(caller)).tools[0]?.tags).toEqual([]);
    await expect(modify({ name: "other" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("can't change"),
    });
    for (const bad of [{ description: " " }, { tags: { "a:b": null } }, { name: 1 }, null]) {
      await expect(modify(bad)).rejects.toMatchObject({ status: 422 });
    }
  });

  it("are deprecated with their versions, once, and can be read afterwards", async () => {
    const bench = openTools(await stores.open());
    const { store } = bench.parts;
    const caller = bench.enter();
    const { organization } = caller;
    const tool_id = await caller.createTool("old");
    const sent = { params: { tool_id } };
    await insertVersion(store, { organization, toolId: tool_id, version: "1.0.0" });
    await insertVersion(store, { organization, toolId: tool_id, version: "1.1.0" });
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => caller.call("deprecate-tool", sent)),
    );
    for (const each of results) {
      if (each.status === "fulfilled") expect(each.value.status).toBe(204);
      else expect(each.reason).toMatchObject({ status: 409 });
    }
    expect((await caller.call("deprecate-tool", sent)).status).toBe(204);
    const audit = await store.db
      .selectFrom("audit")
      .select("target")
      .where("action", "=", "tool.deprecate")
      .execute();
    expect(audit).toEqual([{ target: tool_id }]);
    expect((await list(caller)).tools).toMatchObject([{ id: tool_id, deprecated: true }]);
    const { tool_versions } = await caller.get<{
      tool_versions: { deprecated: boolean; updated_by: { user_id: string } }[];
    }>("get-tool-versions", sent);
    expect(tool_versions).toMatchObject([
      { deprecated: true, updated_by: { user_id: caller.userId } },
      { deprecated: true, updated_by: { user_id: caller.userId } },
    ]);
    for (const [operation, body] of [
      ["modify-tool", { description: "x" }],
      ["modify-tool-envvars", { inserts: [{ name: "A", value: "b", is_secret: false }] }],
    ] as const) {
      await expect(caller.call(operation, { ...sent, body })).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining("deprecated"),
      });
    }
  });

  it("are not deprecated while something else is done to them", async () => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const { organization, userId } = caller;
    const toolId = await caller.createTool("busy");
    await insertVersion(bench.parts.store, { organization, toolId, version: "1.0.0" });
    const params = { tool_id: toolId, versions: "1.0.0" };
    const operation = { organization, toolId, userId, kind: "publish" } as const;
    await holdOperation(bench.parts, operation, async () => {
      for (const operationId of ["deprecate-tool", "deprecate-tool-version"]) {
        await expect(caller.call(operationId, { params })).rejects.toMatchObject({
          status: 409,
          message: "The tool is being published; try again when that has ended.",
        });
      }
      // What does not collide with it goes on.
      await caller.call("modify-tool", { params, body: { description: "Busy." } });
    });
    expect((await list(caller)).tools).toMatchObject([{ deprecated: false, description: "Busy." }]);
    await caller.call("deprecate-tool", { params });
    expect((await list(caller)).tools).toMatchObject([{ deprecated: true }]);
  });

  it("of another organization are like those that don't exist", async () => {
    const bench = openTools(await stores.open());
    const stranger = bench.enter();
    const foreign = await bench.enter().createTool("foreign");
    const missing = newId();
    const tell = async (operation: string, tool_id: string, rest: Sent): Promise<string> => {
      const params = { ...rest.params, tool_id };
      const error = await stranger.call(operation, { ...rest, params }).catch((each) => each);
      expect(error).toMatchObject({ status: 404 });
      return (error as Error).message.replace(tool_id, "ID");
    };
    for (const [operation, rest] of [
      ["modify-tool", { body: { description: "mine" } }],
      ["deprecate-tool", {}],
      ["modify-tool-envvars", { body: {} }],
      ["get-tool-versions", {}],
      ["deprecate-tool-version", { params: { versions: "1.0.0" } }],
    ] as const) {
      expect(await tell(operation, foreign, rest)).toBe(await tell(operation, missing, rest));
      const malformed = stranger.call(operation, {
        ...rest,
        params: { tool_id: "1", versions: "1.0.0" },
      });
      await expect(malformed).rejects.toMatchObject({ status: 422 });
    }
    expect(await names(stranger, { id: foreign })).toEqual([]);
  });
});
