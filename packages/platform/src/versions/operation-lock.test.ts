import { expect, it } from "vitest";
import { newId } from "../new-id.ts";
import { Problem } from "../problem.ts";
import type { OperationRow } from "../store/schema.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { openTools, type ToolBench } from "../tools/test-support/open-tools.ts";
import { holdOperation, type Operation } from "./operation-lock.ts";
import { recoverOperations } from "./recover-operations.ts";

const publish = (toolId: string): Operation => ({
  organization: newId(),
  toolId,
  userId: newId(),
  kind: "publish",
});

describeStores("holdOperation", (stores) => {
  const rows = ({ parts }: ToolBench): Promise<OperationRow[]> =>
    parts.store.db.selectFrom("operations").selectAll().orderBy("started_at").execute();

  it("keeps how far an operation is, and how it ended", async () => {
    const bench = openTools(await stores.open());
    const operation = publish(newId());
    const result = await holdOperation(bench.parts, operation, async ({ id, update }) => {
      expect(await rows(bench)).toMatchObject([
        { id, state: "checking", owner: "here", log: "", ended_at: null },
      ]);
      await update({ state: "building", log: "one\n" });
      await update({});
      await update({ log: "one\ntwo\n", version: "1.0.0" });
      expect(await rows(bench)).toMatchObject([{ state: "building", log: "one\ntwo\n" }]);
      return "done";
    });
    expect(result).toBe("done");
    expect(await rows(bench)).toMatchObject([
      {
        org_id: operation.organization,
        tool_id: operation.toolId,
        user_id: operation.userId,
        kind: "publish",
        state: "active",
        version: "1.0.0",
        error: null,
        ended_at: expect.any(Number),
      },
    ]);
  });

  it("allows one operation at a time, and refuses others at once", async () => {
    const bench = openTools(await stores.open());
    const toolId = newId();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const begun: (() => void)[] = [];
    const started = new Promise<void>((resolve) => begun.push(resolve));
    const first = holdOperation(bench.parts, publish(toolId), async () => {
      for (const begin of begun) begin();
      await held;
    });
    await started;
    for (const kind of ["publish", "deprecate-version", "deprecate-tool"] as const) {
      const second = holdOperation(bench.parts, { ...publish(toolId), kind }, async () => {
        throw new Error("must not run");
      });
      await expect(second).rejects.toMatchObject({
        status: 409,
        message: "The tool is being published; try again when that has ended.",
      });
    }
    expect(await holdOperation(bench.parts, publish(newId()), async () => "other")).toBe("other");
    letGo();
    await first;
    expect(await holdOperation(bench.parts, publish(toolId), async () => "next")).toBe("next");
  });

  it("lets exactly one of many begin", async () => {
    const bench = openTools(await stores.open());
    const toolId = newId();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let refused = 0;
    const results = await Promise.all(
      Array.from({ length: 8 }, async () => {
        try {
          return await holdOperation(bench.parts, publish(toolId), async () => {
            await held;
            return "held";
          });
        } catch (error) {
          expect(error).toMatchObject({ status: 409 });
          refused += 1;
          if (refused === 7) letGo();
          return "refused";
        }
      }),
    );
    expect(results.filter((each) => each === "held")).toHaveLength(1);
  });

  it("ends what failed, with a sentence that gives nothing away", async () => {
    const bench = openTools(await stores.open());
    const toolId = newId();
    const fail = (error: Error): Promise<unknown> =>
      holdOperation(bench.parts, publish(toolId), async () => {
        throw error;
      });
    await expect(fail(new Problem(400, "The tests fail."))).rejects.toThrow("The tests fail.");
    await expect(fail(new Error("password is 1234"))).rejects.toThrow("1234");
    expect(await rows(bench)).toMatchObject([
      { state: "failed", error: "The tests fail.", ended_at: expect.any(Number) },
      { state: "failed", error: "The server failed. Its log says why." },
    ]);
  });

  it("is ended for processes that are gone, and only for those", async () => {
    const bench = openTools(await stores.open());
    const { store } = bench.parts;
    const caller = bench.enter();
    const { organization } = caller;
    const published = await caller.createTool("published");
    const retired = await caller.createTool("retired");
    await caller.call("deprecate-tool", { params: { tool_id: retired } });
    await store.db.deleteFrom("operations").execute();
    await insertVersion(store, { organization, toolId: published, version: "1.0.0" });
    const begin = async (id: string, given: Partial<OperationRow>): Promise<void> => {
      await store.db
        .insertInto("operations")
        .values({
          id,
          org_id: organization,
          tool_id: newId(),
          kind: "publish",
          state: "building",
          user_id: caller.userId,
          owner: "gone",
          log: "so far\n",
          error: null,
          version: null,
          started_at: 1,
          ended_at: null,
          ...given,
        })
        .execute();
    };
    await begin("building", {});
    await begin("numbered", { version: "1.0.0" });
    await begin("stored", { tool_id: published, version: "1.0.0" });
    await begin("retired", { tool_id: retired, kind: "deprecate-tool" });
    await begin("retiring", { kind: "deprecate-tool" });
    await begin("versions", { kind: "deprecate-version" });
    await begin("alive", { owner: "alive" });
    const asked: string[] = [];
    await recoverOperations(bench.parts, async (owner) => {
      asked.push(owner);
      return owner === "alive";
    });
    expect(asked.sort()).toEqual(["alive", "gone"]);
    const found = await rows(bench);
    expect(Object.fromEntries(found.map(({ id, state }) => [id, state]))).toEqual({
      building: "failed",
      numbered: "failed",
      stored: "active",
      retired: "active",
      retiring: "failed",
      versions: "failed",
      alive: "building",
    });
    expect(found.find(({ id }) => id === "building")).toMatchObject({
      error: expect.stringContaining("The server stopped"),
      log: "so far\n",
      ended_at: expect.any(Number),
    });
    expect(found.find(({ id }) => id === "alive")?.ended_at).toBeNull();
  });
});
