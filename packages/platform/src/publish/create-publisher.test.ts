import { describe, expect, it } from "vitest";
import type { Route, ServerSentEvent } from "../api/route.ts";
import { newId } from "../new-id.ts";
import { Problem } from "../problem.ts";
import { packArtifact } from "../runner/artifact.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import type { BuildProgress } from "./builder.ts";
import { publishRoutes } from "./publish-routes.ts";
import { openPublishBench, type PublishBench } from "./test-support/publish-bench.ts";

const closed = (properties: object, more: object = {}): Record<string, unknown> => ({
  inputSchema: { type: "object", properties, additionalProperties: false, ...more },
});

describeStores("a publisher", (stores) => {
  it("publishes the branch's head as a version with all its metadata", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    const progress: BuildProgress[] = [];
    const lines: string[] = [];
    await bench.addVariable("REGION", false);
    await bench.addVariable("API_TOKEN", true);
    bench.manifest = {
      ...bench.manifest,
      ...{ requiredEnvvars: ["REGION"], requiredSecretEnvvars: ["API_TOKEN"] },
    };
    const generation = store.generation();
    const { newVersion } = await bench.publisher.publish(
      bench.principal,
      bench.order({ bump: "minor" }),
      {
        onProgress: (each) => void progress.push(each),
        onLog: (line) => void lines.push(line),
      },
    );
    expect(newVersion).toBe("1.0.0");
    expect(progress.map(({ state }) => state)).toEqual([
      ...["checking", "building", "storing", "active"],
    ]);
    expect(lines).toContain("a line of the build");
    const row = await store.db.selectFrom("tool_versions").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      ...{ org_id: bench.organization, tool_id: bench.toolId, sequence: 1, runtime: "node" },
      ...{ major: 1, minor: 0, patch: 0, deprecated: 0, commit_hash: "1".repeat(40) },
      ...{ project_directory: "tools/look_up", lockfile_digest: "f".repeat(64) },
      ...{ required_envvars: '["REGION"]', required_secret_envvars: '["API_TOKEN"]' },
      ...{ creator_user_id: bench.principal.userId },
      artifact_digest: packArtifact({ runtime: "node", code: "export {}" }).digest,
      scaffold_commit_hash: expect.stringMatching(/^[0-9a-f]{40}$/u),
    });
    expect(JSON.parse(row.manifest)).toMatchObject({ name: "look_up", limits: { memoryMb: 128 } });
    expect(await store.db.selectFrom("operations").selectAll().execute()).toMatchObject([
      {
        ...{ kind: "publish", state: "active", version: "1.0.0", error: null },
        log: expect.stringContaining("a line of the build"),
        ended_at: expect.any(Number),
      },
    ]);
    expect(bench.audited).toMatchObject([
      { action: "tool.publish", target: bench.toolId, detail: { version: "1.0.0" } },
    ]);
    if (generation !== undefined) expect(store.generation()).not.toBe(generation);
  });

  it("increments the requested number and accepts the same commit again", async () => {
    const bench = await openPublishBench(await stores.open());
    expect(await bench.publish()).toBe("1.0.0");
    expect(await bench.publish()).toBe("1.0.1");
    bench.commits.push("2".repeat(40));
    expect(await bench.publish({ bump: "minor" })).toBe("1.1.0");
    expect(await bench.publish({ bump: "major" })).toBe("2.0.0");
  });

  it("refuses a commit that is behind the last one", async () => {
    const bench = await openPublishBench(await stores.open());
    bench.commits.push("2".repeat(40));
    await bench.publish();
    bench.commits.pop();
    await expect(bench.publish()).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/does not descend from 2{40}.*Merge or rebase/u),
    });
  });

  it("refuses tools of others, deprecated tools, missing branches and missing folders", async () => {
    const store = await stores.open();
    const [bench, other] = [await openPublishBench(store), await openPublishBench(store)];
    const unknown = newId();
    const tell = (id: string): string => `There is no tool ${id}, or it is deprecated.`;
    await expect(bench.publish({ toolId: unknown })).rejects.toMatchObject({
      ...{ status: 404, message: tell(unknown) },
    });
    await expect(bench.publish({ toolId: other.toolId })).rejects.toMatchObject({
      ...{ status: 404, message: tell(other.toolId) },
    });
    await expect(bench.publish({ projectPath: "elsewhere" })).rejects.toMatchObject({
      status: 404,
    });
    bench.commits.splice(0);
    await expect(bench.publish()).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining(`git push origin HEAD:releases/${bench.organization}`),
    });
    await store.db.updateTable("tools").set({ deprecated: 1 }).execute();
    await expect(bench.publish()).rejects.toMatchObject({ status: 404 });
  });

  it("refuses the project of another tool, and missing or mismatching variables", async () => {
    const bench = await openPublishBench(await stores.open());
    bench.manifest = { ...bench.manifest, name: "other" };
    await expect(bench.publish()).rejects.toThrow(/name is other, but the tool is called look_up/u);
    bench.manifest = { ...bench.manifest, name: "look_up", requiredSecretEnvvars: ["API_TOKEN"] };
    await expect(bench.publish()).rejects.toThrow(
      /requires API_TOKEN \(secret\), but the tool has no value.*haft tool env look_up set API_TOKEN=VALUE --secret/u,
    );
    await bench.addVariable("API_TOKEN", false);
    await expect(bench.publish()).rejects.toThrow(
      /API_TOKEN is a plain variable.*requiredSecretEnvvars/u,
    );
  });

  it("refuses if a variable is deleted during the build", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    await bench.addVariable("REGION", false);
    bench.manifest = { ...bench.manifest, requiredEnvvars: ["REGION"] };
    bench.whileBuilding = async () => {
      await store.db.updateTable("tool_variables").set({ deleted_at: Date.now() }).execute();
    };
    await expect(bench.publish()).rejects.toThrow(/requires REGION, but the tool has no value/u);
    expect(await store.db.selectFrom("tool_versions").selectAll().execute()).toEqual([]);
  });

  it("refuses a breaking change unless the version is major", async () => {
    const bench = await openPublishBench(await stores.open());
    bench.manifest = closed({ city: { type: "string" } });
    await bench.publish();
    bench.manifest = closed({ city: { type: "string" }, unit: { type: "string" } });
    expect(await bench.publish({ bump: "minor" })).toBe("1.1.0");
    bench.manifest = closed(
      { city: { type: "string" }, unit: { type: "string" } },
      { required: ["unit"] },
    );
    await expect(bench.publish({ bump: "minor" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /breaks callers of 1\.1\.0: unit is now required.*bump_type major/u,
      ),
    });
    expect(await bench.publish({ bump: "major" })).toBe("2.0.0");
  });

  // 004:26: the project defines inputs and outputs.
  it("refuses an output schema that is invalid, or wider than before unless the version is major", async () => {
    const bench = await openPublishBench(await stores.open());
    const { inputSchema } = bench.manifest;
    const returning = (outputSchema?: unknown) => ({ inputSchema, outputSchema });
    await bench.publish();
    bench.manifest = returning({ type: "strange" });
    await expect(bench.publish()).rejects.toThrow(
      /^tool\.json: outputSchema: it can't be compiled/u,
    );
    bench.manifest = returning({ type: ["string", "number"] });
    expect(await bench.publish()).toBe("1.0.1");
    bench.manifest = returning({ type: "string" });
    expect(await bench.publish({ bump: "minor" })).toBe("1.1.0");
    bench.manifest = returning({ type: ["string", "null"] });
    await expect(bench.publish({ bump: "minor" })).rejects.toThrow(
      /output schema breaks callers of 1\.1\.0: an output of the new version may not match.*the output/u,
    );
    bench.manifest = returning();
    await expect(bench.publish()).rejects.toThrow(/output schema breaks callers.*it was removed/u);
    expect(await bench.publish({ bump: "major" })).toBe("2.0.0");
  });

  it("enforces the limit of active versions", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store, { maxActiveVersions: 1 });
    await bench.publish();
    await expect(bench.publish()).rejects.toThrow(
      /1 active versions, and at most 1.*Deprecate a version/u,
    );
    await store.db.updateTable("tool_versions").set({ deprecated: 1 }).execute();
    expect(await bench.publish()).toBe("1.0.1");
  });

  it("runs one operation per tool at a time and keeps the log of a failed one", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    const gate = Promise.withResolvers<void>();
    const building = Promise.withResolvers<void>();
    bench.whileBuilding = async () => {
      building.resolve();
      await gate.promise;
      throw new Problem(400, "A test fails.");
    };
    const first = bench.publish();
    await building.promise;
    await expect(bench.publish()).rejects.toMatchObject({ status: 409 });
    gate.resolve();
    await expect(first).rejects.toThrow("A test fails.");
    bench.whileBuilding = () => undefined;
    expect(await bench.publish()).toBe("1.0.0");
    const rows = await store.db.selectFrom("operations").selectAll().orderBy("id").execute();
    expect(rows).toMatchObject([
      {
        state: "failed",
        error: "A test fails.",
        log: expect.stringContaining("a line of the build"),
      },
      { state: "active", error: null },
    ]);
  });

  it("publishes no version if another process ended the operation", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    bench.whileBuilding = async () => {
      await store.db.updateTable("operations").set({ ended_at: 1, state: "failed" }).execute();
    };
    await expect(bench.publish()).rejects.toMatchObject({ status: 409 });
    expect(await store.db.selectFrom("tool_versions").selectAll().execute()).toEqual([]);
  });

  it("removes only artifacts without a version", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    await bench.publish();
    const old = { content: Buffer.from("x"), created_at: Date.now() - 7_200_000 };
    await store.db.updateTable("artifacts").set({ created_at: old.created_at }).execute();
    await store.db
      .insertInto("artifacts")
      .values({ ...old, digest: "left" })
      .execute();
    await store.db
      .insertInto("artifacts")
      .values({ ...old, digest: "new", created_at: Date.now() })
      .execute();
    await bench.publisher.recover();
    const kept = await store.db.selectFrom("artifacts").select("digest").execute();
    expect(kept.map(({ digest }) => digest).sort()).toEqual(
      [packArtifact({ runtime: "node", code: "export {}" }).digest, "new"].sort(),
    );
  });

  it("reports progress to the publisher and to watchers", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    const here = routesOf(bench, publishRoutes({ publisher: bench.publisher, store }));
    const elsewhere = routesOf(bench, publishRoutes({ publisher: bench.publisher, store }));
    const gate = Promise.withResolvers<void>();
    bench.whileBuilding = () => gate.promise;
    const { events: own } = await here("publish-tool-version", { accept: "text/event-stream" });
    const watched = await here("watch-tool-operation", {});
    const fromRow = await elsewhere("watch-tool-operation", {});
    gate.resolve();
    const heard = await Promise.all([own, watched.events, fromRow.events].map(collect));
    expect(heard[0]).toEqual([
      { event: "progress", data: { state: "checking", message: "Reading the project" } },
      { event: "log", data: { line: expect.stringMatching(/^Commit 1{40}/u) } },
      { event: "progress", data: { state: "building", message: "Building" } },
      { event: "log", data: { line: "a line of the build" } },
      { event: "progress", data: { state: "storing", message: "Storing the version" } },
      { event: "progress", data: { state: "active", message: "Published 1.0.0" } },
      { event: "result", data: { new_version: "1.0.0" } },
    ]);
    expect(heard[1]).toEqual(heard[0]);
    expect(heard[2]).toContainEqual({ event: "log", data: { line: "a line of the build" } });
    expect(heard[2]?.at(-1)).toEqual({ event: "result", data: { new_version: "1.0.0" } });
    expect(await here("get-tool-operations", {})).toMatchObject({
      body: { operations: [{ kind: "publish", state: "active", version: "1.0.0", error: null }] },
    });
  });

  it("answers with JSON or events, and refusals with their status", async () => {
    const store = await stores.open();
    const bench = await openPublishBench(store);
    const call = routesOf(bench, publishRoutes({ publisher: bench.publisher, store }));
    await expect(call("watch-tool-operation", {})).rejects.toMatchObject({ status: 404 });
    expect(await call("publish-tool-version", {})).toEqual({
      status: 201,
      body: { new_version: "1.0.0" },
    });
    bench.whileBuilding = () => {
      throw new Problem(400, "A test fails.");
    };
    await expect(call("publish-tool-version", {})).rejects.toMatchObject({ status: 400 });
    const { events } = await call("publish-tool-version", { accept: "text/event-stream" });
    expect((await collect(events)).at(-1)).toEqual({
      event: "error",
      data: { status: 400, detail: "A test fails." },
    });
    await store.db.updateTable("tools").set({ deprecated: 1 }).execute();
    await expect(
      call("publish-tool-version", { accept: "text/event-stream" }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe("the routes of publishing", () => {
  it("require the permission to change tools", () => {
    const routes = publishRoutes({ publisher: {} as never, store: {} as never }) as Route[];
    expect(routes.map(({ operationId, permission }) => [operationId, permission])).toEqual([
      ["publish-tool-version", "Tool:ModifyTool"],
      ["get-tool-operations", null],
      ["watch-tool-operation", null],
    ]);
  });
});

type Call = (
  operationId: string,
  headers: Readonly<Record<string, string>>,
) => ReturnType<Route["handle"]>;

function routesOf(bench: PublishBench, routes: readonly unknown[]): Call {
  return async (operationId, headers) => {
    const route = (routes as readonly Route[]).find((each) => each.operationId === operationId);
    return (route as Route).handle({
      ...{ principal: bench.principal, headers, signal: new AbortController().signal },
      params: { organization: bench.organization, tool_id: bench.toolId },
      query: { limit: 10 },
      body: { project_path: "tools/look_up", bump_type: "patch", repo: "team" },
    });
  };
}

async function collect(
  events: AsyncIterable<ServerSentEvent> | undefined,
): Promise<ServerSentEvent[]> {
  const heard: ServerSentEvent[] = [];
  for await (const event of events ?? []) heard.push(event);
  return heard;
}
