import { expect, it } from "vitest";
import { createCallers } from "../invoke/callers.ts";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import type { Invocation } from "./invocation-schemas.ts";
import { openHistory } from "./test-support/open-history.ts";

describeStores("the caller of an invocation", (stores) => {
  it("is shown and filtered by key, user, client and source, also after the key is deleted", async () => {
    const store = await stores.open();
    const bench = openHistory(store);
    const { organization } = bench;
    const callers = createCallers(store);
    const [ci, desk] = [newId(), newId()];
    const [ada, bob] = [newId(), newId()];
    await addKey(ci, "ci");
    const ciCurl = await callers.find({ organization, keyId: ci, userId: ada }, "curl/8.5.0");
    await store.db.deleteFrom("api_keys").execute();
    const ciNode = await callers.find(
      { organization, keyId: ci, userId: ada },
      " node\u0007\u202e ",
    );
    const deskMcp = await callers.find({ organization, keyId: desk, userId: bob }, "claude/2.1");
    const silent = await callers.find({ organization, keyId: desk, userId: bob }, undefined);
    const elsewhere = await callers.find({ organization: newId(), keyId: ci, userId: ada }, "curl");
    expect(new Set([ciCurl, ciNode, deskMcp, silent, elsewhere]).size).toBe(5);
    const again = createCallers(store);
    expect(await again.find({ organization, keyId: ci, userId: ada }, "curl/8.5.0")).toBe(ciCurl);

    const [a, b, c, d, e] = await bench.record(
      { caller: ciCurl },
      { caller: ciNode },
      { caller: deskMcp, source_type: "mcp" },
      { caller: silent },
      {},
    );
    const list = async (query: Readonly<Record<string, string | string[]>>): Promise<string[]> => {
      type Page = { readonly tool_invocations: readonly Invocation[] };
      const listed = await bench.call<Page>("get-tool-invocations", { query });
      const found = await bench.call<Page>("search-tool-invocations", {
        query: { ...query, query: "well" },
      });
      expect(found).toEqual({ tool_invocations: listed.tool_invocations });
      return listed.tool_invocations.map(({ id }) => id);
    };
    expect(await list({})).toEqual([e, d, c, b, a]);
    expect(await list({ api_key: "ci" })).toEqual([a]);
    expect(await list({ api_key: ci })).toEqual([b, a]);
    expect(await list({ api_key: [ci, desk], client: "cl" })).toEqual([c]);
    expect(await list({ user_id: bob })).toEqual([d, c]);
    expect(await list({ user_id: bob, api_key: ci })).toEqual([]);
    expect(await list({ client: ["curl", "node"] })).toEqual([b, a]);
    expect(await list({ client: "%" })).toEqual([]);
    expect(await list({ invocation_source_type: "mcp" })).toEqual([c]);
    const shown = await Promise.all(
      [a, b, d, e].map((id) =>
        bench.call<Invocation>("get-tool-invocation", { params: { invocation_id: id as string } }),
      ),
    );
    expect(shown.map(({ caller }) => caller)).toEqual([
      { api_key_id: ci, api_key_name: "ci", user_id: ada, client: "curl/8.5.0" },
      { api_key_id: ci, api_key_name: null, user_id: ada, client: "node\\u{7}\\u{202e}" },
      { api_key_id: desk, api_key_name: null, user_id: bob, client: null },
      null,
    ]);
    await bench.history.close();

    async function addKey(key_id: string, name: string): Promise<void> {
      await store.db
        .insertInto("api_keys")
        .values({
          ...{ id: newId(), key_id, name, org_id: organization, user_id: ada, role_id: newId() },
          ...{ creator_user_id: ada, hash: newId(), created_at: 0, updated_at: 0, expires_at: 0 },
        })
        .execute();
    }
  });

  it("is `other` once a key has had 200 clients", async () => {
    const store = await stores.open();
    const callers = createCallers(store);
    const principal = { organization: newId(), keyId: newId(), userId: newId() };
    const { organization: org_id, keyId: key_id, userId: user_id } = principal;
    const clients = Array.from({ length: 200 }, (_, each) => `bot/${each}`);
    await store.db
      .insertInto("callers")
      .values(clients.map((client) => ({ org_id, key_id, user_id, client })))
      .execute();
    const known = await callers.find(principal, "bot/7");
    const others = [await callers.find(principal, "bot/200"), await callers.find(principal, "x")];
    expect(others[0]).toBe(others[1]);
    expect(others[0]).not.toBe(known);
    const rows = await store.db.selectFrom("callers").select("client").execute();
    expect(rows.filter(({ client }) => client === "other")).toHaveLength(1);
  });
});
