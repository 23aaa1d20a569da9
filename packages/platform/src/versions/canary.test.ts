import { expect, it, onTestFinished } from "vitest";
import { createHistory } from "../history/create-history.ts";
import { createCallers } from "../invoke/callers.ts";
import { createInvoker, type Invoker } from "../invoke/create-invoker.ts";
import { fail, makeInput, succeed } from "../invoke/test-support/open-invoke.ts";
import { newId } from "../new-id.ts";
import { createAudit } from "../operations/audit.ts";
import type { ToolProgram, ToolRun, ToolRunResult } from "../runner/runner.ts";
import { openStore } from "../store/open-store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { type Caller, openTools } from "../tools/test-support/open-tools.ts";
import { toAbortRule } from "./abort-rule.ts";
import { type CanaryCounter, createCanaryCounter } from "./canary-counter.ts";
import { createVersionResolver } from "./create-version-resolver.ts";
import type { Canary, LatestReply } from "./latest-schemas.ts";

type Act = (version: string, run: ToolRun) => ToolRunResult;

interface ServerProcess {
  readonly invoker: Invoker;
  readonly counter: CanaryCounter;
  close(): Promise<void>;
}

describeStores("a canary", (stores) => {
  const open = async (act: Act, processes = 1) => {
    const location = await stores.locate();
    const started: ServerProcess[] = [];
    const begin = async (): Promise<ServerProcess> => {
      const store = await openStore(location);
      const bench = openTools(store);
      const parts = { ...bench.parts, audit: createAudit(bench.parts), processId: newId() };
      const history = createHistory(parts);
      const counter = createCanaryCounter(parts, { flushMs: 60_000 });
      const invoker = createInvoker({
        now: parts.now,
        runner: { run: async ({ version }: ToolProgram, run) => act(version, run) },
        history,
        callers: createCallers(store),
        canaries: counter,
        versions: createVersionResolver(parts),
        variables: { read: () => ({ values: {}, secrets: [] }) },
        artifacts: { get: async () => new Uint8Array() },
      });
      const close = async (): Promise<void> => {
        await counter.flush();
        await history.close();
        await store.close();
      };
      return { invoker, counter, close };
    };
    const store = await openStore(location);
    const caller = openTools(store).enter();
    for (let count = 0; count < processes; count += 1) started.push(await begin());
    onTestFinished(async () => {
      for (const each of started) await each.close();
      await store.close();
    });
    const toolId = await caller.createTool("tool");
    const { organization } = caller;
    const params = { tool_id: toolId };
    await insertVersion(store, { organization, toolId, version: "1.0.0" });
    await insertVersion(store, { organization, toolId, version: "1.1.0" }, { candidate: 1 });
    let calls = 0;
    return {
      store,
      caller: caller as Caller,
      toolId,
      /** Calls `latest` through each process in turn, and returns the version that ran. */
      invoke: async (conversationId?: string): Promise<string> => {
        const { invoker, counter } = started[calls++ % started.length] as ServerProcess;
        const source = {
          ...({ type: "regular-conversation", user_id: caller.userId } as const),
          ...{ conversation_id: conversationId ?? null, interaction_id: null },
          invocation_metadata: { type: "engage-user" },
        };
        const request = { inputs: [makeInput()], source };
        const call = { principal: caller, toolId, version: "latest", request };
        const { version } = await invoker.invoke(call);
        await counter.flush();
        return version.text;
      },
      start: (body: object) => caller.get<Canary>("start-tool-canary", { params, body }),
      stop: () => caller.call("stop-tool-canary", { params }),
      look: () => caller.get<LatestReply>("get-tool-latest", { params }),
    };
  };

  it("is taken back within 50 calls by several processes if it fails, once", async () => {
    const act: Act = (version) => (version === "1.1.0" ? fail("broken") : succeed("ok"));
    const { store, toolId, invoke, start, look } = await open(act, 3);
    const { org_id } = await store.db
      .selectFrom("tools")
      .select("org_id")
      .executeTakeFirstOrThrow();
    await store.db
      .insertInto("webhooks")
      .values({
        ...{ id: "w", org_id, url: "https://example.com/", description: "", enabled: 1 },
        ...{ events: '["canary.taken_back"]', links: 0, synchronous: 0, sessions: 0, failures: 0 },
        ...{ secret: "", previous_secret: "", user_id: "u", created_at: 1, updated_at: 1 },
      })
      .execute();
    await start({ version: "1.1.0", percent: 10, abort_if: "errors > 2x" });
    const ran: string[] = [];
    for (let count = 0; count < 50; count += 1) ran.push(await invoke());
    const { canary } = await look();
    expect(canary).toMatchObject({ outcome: "aborted", version: "1.1.0", percent: 10 });
    expect(canary?.errors).toBe(canary?.calls);
    expect(ran.filter((version) => version === "1.1.0")).toHaveLength(canary?.calls ?? 0);
    expect(ran.slice(-5)).toEqual(Array.from({ length: 5 }, () => "1.0.0"));
    const audit = await store.db
      .selectFrom("audit")
      .selectAll()
      .where("action", "=", "canary.abort")
      .execute();
    expect(audit).toMatchObject([{ target: toolId, key_id: null }]);
    const told = await store.db.selectFrom("webhook_deliveries").select("type").execute();
    expect(told).toEqual([{ type: "canary.taken_back" }]);
  });

  it("gets its share, the same version for a conversation, and ends when latest moves", async () => {
    const { caller, toolId, invoke, start, look } = await open(() => succeed("ok"));
    expect(await invoke()).toBe("1.0.0");
    await start({ version: "1.1.0", percent: 20 });
    const ran: string[] = [];
    for (let count = 0; count < 20; count += 1) ran.push(await invoke());
    expect(ran.filter((version) => version === "1.1.0")).toHaveLength(4);
    const talks = Array.from({ length: 30 }, () => newId());
    const first = await Promise.all(talks.map((id) => invoke(id)));
    expect(await Promise.all(talks.map((id) => invoke(id)))).toEqual(first);
    expect(new Set(first).size).toBe(2);
    const [chosen] = ["1.1.0", "1.0.0"].map((text) => first.filter((each) => each === text).length);
    expect((await look()).canary).toMatchObject({ calls: 4 + 2 * (chosen ?? 0), errors: 0 });
    const params = { tool_id: toolId };
    await caller.call("promote-tool-version", { params, body: { version: "1.1.0" } });
    expect((await look()).canary).toMatchObject({ outcome: "latest moved" });
    expect(await invoke()).toBe("1.1.0");
  });

  it("that refuses an input is served by the latest version, and that counts as an error", async () => {
    const { store, toolId, invoke, start, look } = await open(() => succeed("ok"));
    const manifest = JSON.stringify({
      ...JSON.parse(
        (
          await store.db
            .selectFrom("tool_versions")
            .select("manifest")
            .where("tool_id", "=", toolId)
            .executeTakeFirstOrThrow()
        ).manifest,
      ),
      inputSchema: { type: "object", required: ["other"] },
    });
    await store.db
      .updateTable("tool_versions")
      .set({ manifest })
      .where("tool_id", "=", toolId)
      .where("candidate", "=", 1)
      .execute();
    await start({ version: "1.1.0", percent: 50, abort_if: "errors > 5%" });
    for (let count = 0; count < 20; count += 1) expect(await invoke()).toBe("1.0.0");
    expect((await look()).canary).toMatchObject({ outcome: "aborted", calls: 3, errors: 3 });
  });

  it("is stopped by a person, and there is one at a time", async () => {
    const { invoke, start, stop, look } = await open(() => succeed("ok"));
    const wanted = { version: "1.1.0", percent: 99 };
    await start(wanted);
    await expect(start(wanted)).rejects.toMatchObject({ status: 409 });
    await stop();
    expect(await invoke()).toBe("1.0.0");
    expect((await look()).canary).toMatchObject({ outcome: "stopped" });
    await expect(stop()).rejects.toMatchObject({ status: 404 });
    await expect(start({ version: "1.0.0", percent: 5 })).rejects.toThrow("is the latest");
    await expect(start({ ...wanted, abort_if: "errors > 0.5x" })).rejects.toThrow("errors > 2x");
  });
});

it.each([
  // No error of either: nothing to take back.
  ["errors > 2x", 1_000, 0, 9_000, 0, false],
  // Too few calls to tell.
  ["errors > 2x", 2, 2, 1_000, 0, false],
  ["errors > 2x", 3, 3, 27, 0, true],
  // One error is chance.
  ["errors > 2x", 20, 1, 180, 2, false],
  ["errors > 2x", 50, 6, 450, 5, true],
  // The stable version fails as often.
  ["errors > 2x", 50, 25, 450, 220, false],
  ["errors > 5%", 40, 2, 0, 0, false],
  ["errors > 5%", 40, 8, 0, 0, true],
  ["errors > 1x", 5_000, 60, 45_000, 500, true],
] as const)("%s with %i calls, %i errors against %i, %i: %s", (...row) => {
  const [text, calls, errors, stable_calls, stable_errors, isBroken] = row;
  const counts = { calls, errors, stable_calls, stable_errors };
  expect(toAbortRule(text).isBroken(counts)).toBe(isBroken);
});
