import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode, sql } from "kysely";
import { expect, it } from "vitest";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createVariableReader } from "../tools/create-variable-reader.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { openTools } from "../tools/test-support/open-tools.ts";
import { createVersionResolver } from "./create-version-resolver.ts";
import { findNextVersion } from "./next-version.ts";

describeStores("queries about tools and versions", (stores) => {
  it("find what they need by an index", async () => {
    const store = await stores.open();
    const asked: CompiledQuery[] = [];
    const watched: Store = { ...store, db: watch(store.db, asked) };
    const bench = openTools(watched);
    const caller = bench.enter();
    const { organization } = caller;
    const toolId = await caller.createTool("tool", { a: "b" });
    const params = { tool_id: toolId };
    const inserts = [{ name: "A", value: "b", is_secret: false }];
    await caller.call("modify-tool-envvars", { params, body: { inserts } });
    await insertVersion(store, { organization, toolId, version: "1.0.0" });
    await insertVersion(store, { organization, toolId, version: "1.1.0" });
    await caller.call("get-tools");
    await caller.call("get-tools", { query: { sort_by: "-name", continuation_token: "1" } });
    await caller.call("get-tools", { query: { tag: ["a:b", "c:*"], id: toolId } });
    await caller.call("get-tool-versions", { params, query: { versions: ">=1" } });
    await createVersionResolver({ store: watched }).resolve(organization, toolId, ">=1");
    await createVariableReader({ ...bench.parts, store: watched }).read(organization, toolId);
    await findNextVersion(watched.db, toolId, "minor");
    await caller.call("modify-tool", { params, body: { tags: {} } });
    await caller.call("modify-tool-envvars", { params, body: { deletes: [{ name: "A" }] } });
    await caller.call("deprecate-tool-version", { params: { ...params, versions: "1.0.0" } });
    await caller.call("deprecate-tool", { params });
    const planned = asked.filter((each) => /^(select|update|delete)/.test(each.sql));
    expect(planned.length).toBeGreaterThan(25);
    for (const query of planned) {
      const plan = await explain(store, query);
      expect(plan, query.sql).not.toMatch(/\bSCAN (?!CONSTANT)|Seq Scan/);
      // Choosing versions leaves their manifests alone.
      if (/"sequence", "deprecated"/.test(query.sql)) expect(plan).toContain("tool_versions_heads");
    }
  });
});

/** The same database; what it is asked is noted. */
function watch(db: Kysely<Tables>, asked: CompiledQuery[]): Kysely<Tables> {
  return db.withPlugin({
    transformQuery: ({ node }): RootOperationNode => {
      asked.push(db.getExecutor().compileQuery(node, createQueryId()));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

async function explain(store: Store, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const command = store.kind === "sqlite" ? "explain query plan" : "explain";
  return store.db.connection().execute(async (connection) => {
    // Few rows are read faster one by one, so that it has to be forbidden.
    if (store.kind === "postgres") await sql`set enable_seqscan = off`.execute(connection);
    const query = CompiledQuery.raw(`${command} ${text}`, [...parameters]);
    const { rows } = await connection.executeQuery(query);
    return rows.map((row) => JSON.stringify(row)).join("\n");
  });
}
