import { expect, it } from "vitest";
import { newId } from "../new-id.ts";
import { Problem } from "../problem.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import type { NewInvocation } from "./history.ts";
import { invocationRoutes } from "./invocation-routes.ts";
import { failedWith, type HistoryBench, openHistory } from "./test-support/open-history.ts";

interface Found {
  readonly tool_invocations: readonly {
    readonly id: string;
    readonly tool_id: string;
  }[];
}

interface Page extends Found {
  readonly has_more: boolean;
  readonly continuation_token: number | null;
}

type Query = Readonly<Record<string, string | readonly string[]>>;
type Caller = Pick<HistoryBench, "call">;

const list = (caller: Caller, query: Query = {}): Promise<Page> =>
  caller.call<Page>("get-tool-invocations", { query });
const search = (caller: Caller, query: string, more: Query = {}): Promise<Found> =>
  caller.call<Found>("search-tool-invocations", { query: { query, ...more } });
const ids = ({ tool_invocations }: Found): string[] => tool_invocations.map(({ id }) => id);

/** Reads every page and returns the ids in their order. */
async function listAll(
  caller: Caller,
  query: Query,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const found: string[] = [];
  let token: number | null = 0;
  while (token !== null) {
    const page: Page = await list(caller, {
      ...query,
      continuation_token: String(token),
    });
    expect(page.has_more).toBe(page.continuation_token !== null);
    found.push(...ids(page));
    token = page.continuation_token;
    await between();
  }
  return found;
}

const metadata = { type: "engage-user", tool_call_round_index: 1 };
const sourceMetadata = JSON.stringify({
  ...metadata,
  current_state_machine_and_version: ["machine", 3],
});

function inConversation(conversation_id: string, interaction_id = newId()): Partial<NewInvocation> {
  const source_type = "regular-conversation";
  return {
    source_type,
    conversation_id,
    interaction_id,
    source_metadata: sourceMetadata,
  };
}

function inSimulation(simulation_run_id: string): Partial<NewInvocation> {
  return {
    source_type: "simulation-conversation",
    user_id: null,
    simulation_run_id,
    unit_test_id: "e".repeat(24),
    run_index: 2,
    mode: "conversation-simulation",
    source_metadata: sourceMetadata,
  };
}

describeStores("invocation routes", (stores) => {
  it("show what was invoked as the wire has it", async () => {
    const bench = openHistory(await stores.open());
    const [conversation, interaction, run] = [newId(), newId(), newId()];
    const recorded = await bench.record(
      { output: "fine" },
      {
        ...inConversation(conversation, interaction),
        ...failedWith("E", "bad", ["at a", "at b"]),
      },
      inSimulation(run),
    );
    const { tool_invocations } = await list(bench);
    expect(ids({ tool_invocations })).toEqual(recorded.toReversed());
    const invocation_metadata = JSON.parse(sourceMetadata);
    expect(tool_invocations[2]).toEqual({
      id: recorded[0],
      org_id: bench.organization,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      invocation_status: { succeeded: true, output: "fine" },
      invocation_source: { type: "direct", user_id: "c".repeat(24) },
      caller: null,
      duration_ms: 5,
      tool_id: "b".repeat(24),
      tool_version: { major: 1, minor: 0, patch: 0 },
      inputs: { city: "Berlin" },
      retry_of: null,
      retried_by: [],
      unrecorded: null,
    });
    expect(tool_invocations[1]).toMatchObject({
      invocation_status: {
        succeeded: false,
        exception_message: "bad",
        exception_type: "E",
        exception_stack_trace: ["at a", "at b"],
      },
      invocation_source: {
        type: "regular-conversation",
        user_id: "c".repeat(24),
        conversation_id: conversation,
        interaction_id: interaction,
        invocation_metadata,
      },
    });
    expect(tool_invocations[0]).toMatchObject({
      invocation_source: {
        type: "simulation-conversation",
        simulation_unit_test_set_run_id: run,
        unit_test_id: "e".repeat(24),
        run_index: 2,
        invocation_metadata,
      },
    });
    const one = await bench.call("get-tool-invocation", {
      params: { invocation_id: recorded[1] as string },
    });
    expect(one).toEqual(tool_invocations[1]);
  });

  it("filter by each thing alone and by all together", async () => {
    const store = await stores.open();
    const bench = openHistory(store);
    const { organization } = bench;
    const [one, two, conversation, run] = [newId(), newId(), newId(), newId()];
    for (const version of ["1.0.0", "1.2.0", "2.0.0"]) {
      await insertVersion(store, { organization, toolId: one, version });
    }
    await insertVersion(store, { organization, toolId: two, version: "1.0.0" });
    const [a, b, c, d, e] = (await bench.record(
      { tool_id: one },
      { tool_id: one, minor: 2, ...inConversation(conversation) },
      { tool_id: one, major: 2, ...inSimulation(run) },
      {
        tool_id: two,
        ...inConversation(conversation),
        ...failedWith("E", "m"),
      },
      { tool_id: two, ...inConversation(newId()) },
    )) as [string, string, string, string, string];

    const expectFound = async (query: Query, ...expected: string[]): Promise<void> => {
      expect(ids(await list(bench, query))).toEqual(expected);
    };
    await expectFound({}, e, d, c, b, a);
    await expectFound({ tool_id: one }, c, b, a);
    await expectFound({ tool_id: [one, two] }, e, d, c, b, a);
    await expectFound({ tool_id: newId() });
    await expectFound({ tool_id: one, version: ">=1.2,<2" }, b);
    await expectFound({ tool_id: one, version: "1.0.0" }, a);
    await expectFound({ tool_id: one, version: "latest" }, c);
    await expectFound({ tool_id: one, version: ">=1" }, c, b, a);
    await expectFound({ tool_id: one, version: ">9" });
    await expectFound({ tool_id: [one, two], version: ["!=1.2.0", "==1.*"] }, e, d, c, a);
    await expectFound({ tool_id: newId(), version: ">=1" });
    await expectFound({ invocation_source_type: "direct" }, a);
    await expectFound({ invocation_source_type: "conversation" }, e, d, b);
    await expectFound({ invocation_source_type: "regular-conversation" }, e, d, b);
    await expectFound({ invocation_source_type: "simulation" }, c);
    await expectFound({ invocation_source_type: ["simulation-conversation", "direct"] }, c, a);
    await expectFound({ conversation_id: conversation }, d, b);
    await expectFound({ conversation_id: [conversation, newId()] }, d, b);
    await expectFound({ simulation_unit_test_set_run_id: run }, c);
    await expectFound({ succeeded: "true" }, e, c, b, a);
    await expectFound({ succeeded: "false" }, d);
    await expectFound({ sort_by: "+created_at" }, a, b, c, d, e);
    await expectFound({ sort_by: " created_at", limit: "2" }, a, b);
    await expectFound(
      {
        tool_id: [one, two],
        version: [">=1", ">=1"],
        invocation_source_type: ["conversation"],
        conversation_id: conversation,
        succeeded: "false",
      },
      d,
    );
    await expectFound({
      conversation_id: conversation,
      simulation_unit_test_set_run_id: run,
    });
  });

  it("refuse what can't be meant", async () => {
    const bench = openHistory(await stores.open());
    const tool_id = newId();
    const expectProblem = async (query: Query, status: number, detail: RegExp): Promise<void> => {
      const problem = await list(bench, query).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(Problem);
      expect(problem).toMatchObject({
        status,
        message: expect.stringMatching(detail),
      });
    };
    await expectProblem({ tool_id, version: ["1.0.0", "2.0.0"] }, 400, /one version for each/);
    await expectProblem({ version: "1.0.0" }, 400, /one version for each/);
    await expectProblem({ tool_id: [tool_id, newId()], version: ">1" }, 400, /2 of tool_id and 1/);
    await expectProblem({ tool_id, version: "^1" }, 422, /version/);
    await expectProblem({ sort_by: "output" }, 422, /created_at, duration_ms/);
    for (const limit of ["101", "-1", "x", "1.5"]) await expectProblem({ limit }, 422, /limit/);
    await expectProblem({ continuation_token: "-1" }, 422, /continuation_token/);
    await expectProblem({ tool_id: "x" }, 422, /tool_id/);
    await expectProblem({ conversation_id: "' or 1=1" }, 422, /conversation_id/);
    await expectProblem({ invocation_source_type: "other" }, 422, /invocation_source_type/);
    await expectProblem({ succeeded: "maybe" }, 422, /succeeded/);
  });

  it("go through all pages without gaps or repeats, while more is recorded", async () => {
    const bench = openHistory(await stores.open());
    const [one, two] = [newId(), newId()];
    const recorded = await bench.record(
      ...Array.from({ length: 47 }, (_, index) => ({
        tool_id: index % 3 === 0 ? one : two,
        duration_ms: (index * 7) % 10,
      })),
    );
    const recordMore = (): Promise<unknown> => bench.record({ tool_id: one }, { tool_id: two });
    const newestFirst = recorded.toReversed();
    expect(await listAll(bench, { limit: "5" }, recordMore)).toEqual(newestFirst);
    const both = await listAll(bench, { limit: "6", tool_id: [one, two] }, recordMore);
    expect(both.slice(-47)).toEqual(newestFirst);
    expect(new Set(both).size).toBe(both.length);
    const all = await listAll(bench, { limit: "100", sort_by: "+created_at" });
    expect(await listAll(bench, { limit: "10", sort_by: "+created_at" })).toEqual(all);
    expect(all.slice(0, 47)).toEqual(recorded);
    const slow = await listAll(bench, { limit: "9", sort_by: "-duration_ms" });
    expect(slow.toSorted()).toEqual(all.toSorted());
    expect(slow.slice(0, 4).toSorted()).toEqual([7, 17, 27, 37].map((at) => recorded[at]).sort());
  });

  it("take a limit of nothing, and say whether there is anything", async () => {
    const bench = openHistory(await stores.open());
    const empty = {
      tool_invocations: [],
      has_more: false,
      continuation_token: null,
    };
    expect(await list(bench)).toEqual(empty);
    expect(await list(bench, { limit: "0" })).toEqual(empty);
    await bench.record({});
    expect(await list(bench, { limit: "0" })).toMatchObject({
      ...empty,
      has_more: true,
      continuation_token: 0,
    });
    expect(await list(bench, { limit: "1" })).toMatchObject({
      has_more: false,
    });
  });

  it("never show what belongs to another organization", async () => {
    const store = await stores.open();
    const bench = openHistory(store);
    const other = bench.enter(newId());
    const [conversation, run, tool_id] = [newId(), newId(), newId()];
    const [mine] = await bench.record({
      tool_id,
      output: "shared word",
      ...inConversation(conversation),
    });
    await bench.record({
      tool_id,
      output: "shared word",
      ...inSimulation(run),
    });
    for (const query of [
      {},
      { tool_id },
      { conversation_id: conversation },
      { simulation_unit_test_set_run_id: run },
      { succeeded: "true" },
      { sort_by: "-duration_ms" },
    ]) {
      expect(ids(await list(other, query))).toEqual([]);
      if (!("sort_by" in query)) expect(ids(await search(other, "shared", query))).toEqual([]);
    }
    expect(ids(await search(other, bench.organization))).toEqual([]);
    const ask = (invocation_id: string): Promise<unknown> =>
      other
        .call("get-tool-invocation", { params: { invocation_id } })
        .catch((error: Problem) => error.message.replace(invocation_id, "…"));
    expect(await ask(mine as string)).toBe(await ask(newId()));
    const rollBack = { conversation_id: conversation };
    expect(await other.call("roll-back-tool-invocations", { body: rollBack })).toEqual({
      rolled_back: 0,
    });
    expect(ids(await search(bench, "shared"))).toHaveLength(2);
  });

  it("find words and phrases in the fields that are meant", async () => {
    const bench = openHistory(await stores.open());
    const [tool_id, conversation, run] = [newId(), newId(), newId()];
    const [a, b, c] = (await bench.record(
      { output: '{"answer":"first line\\nTimeout of gateway"}' },
      {
        ...failedWith("TimeoutError", "gateway closed", ["at gateway (net.ts:1)"]),
        tool_id,
      },
      {
        output: "a timeout",
        ...inConversation(conversation),
        ...failedWith("E", "timeout"),
      },
    )) as [string, string, string];
    await bench.record(inSimulation(run));
    const expectFound = async (
      query: string,
      more: Query,
      ...expected: string[]
    ): Promise<void> => {
      expect(ids(await search(bench, query, more))).toEqual(expected);
    };
    const against = (field: string): Query => ({
      query_against: `invocation_status.${field}`,
    });
    await expectFound("timeout", {}, c, a);
    await expectFound("GATEWAY", {}, b, a);
    await expectFound("gateway timeout", {}, a);
    await expectFound('"timeout of gateway"', {}, a);
    await expectFound('"gateway timeout"', {});
    await expectFound('"line timeout"', {}, a);
    await expectFound("timeouterror", {}, b);
    await expectFound("net.ts", {}, b);
    await expectFound("gate", {});
    await expectFound("gateway", against("output"), a);
    await expectFound("gateway", against("exception_message"), b);
    await expectFound("gateway", against("exception_stack_trace"), b);
    await expectFound("gateway", against("exception_type"));
    await expectFound('"closed at"', {});
    await expectFound("gateway", { tool_id }, b);
    await expectFound("gateway", { tool_id: [tool_id, newId()], succeeded: "false" }, b);
    await expectFound("gateway", { succeeded: "true" }, a);
    await expectFound("timeout", { invocation_source_type: "conversation" }, c);
    await expectFound("timeout", { invocation_source_type: ["simulation", "direct"] }, a);
    await expectFound("timeout", { conversation_id: conversation }, c);
    await expectFound("timeout", {
      conversation_id: conversation,
      succeeded: "true",
    });
    await expectFound("timeout", { simulation_unit_test_set_run_id: run });
  });

  it("find the newest hundred", async () => {
    const bench = openHistory(await stores.open());
    const rows = Array.from({ length: 130 }, () => ({ output: "again" }));
    const [conversation] = [newId()];
    const many = await bench.record(
      ...rows.map((row) => ({ ...row, ...inConversation(conversation) })),
    );
    const newest = many.toReversed().slice(0, 100);
    expect(ids(await search(bench, "again"))).toEqual(newest);
    expect(ids(await search(bench, "again", { conversation_id: conversation }))).toEqual(newest);
  });

  it("treat any query as words", async () => {
    const bench = openHistory(await stores.open());
    await bench.record({ output: "plain" });
    const odd = [
      'a" OR scope:"x',
      "plain AND",
      "NOT plain",
      "NEAR(plain plain, 5)",
      "^plain x*",
      "{output} : nothing -plain",
      "plain')) union select 1 --",
      "a:* & b | !c <-> d",
      "'",
      "\\",
      "x\u0000y",
      "🚀 \ud800",
      `${"word ".repeat(50)}`,
      "😀".repeat(50),
      "東京".repeat(20),
      "é".repeat(900),
    ];
    for (const query of odd) {
      const found = await search(bench, query).catch((error: unknown) => error);
      if (found instanceof Problem) expect(found).toMatchObject({ status: 422 });
      else expect(found).toEqual({ tool_invocations: [] });
    }
    for (const query of ["", " ", '""', "*", "***", "-", "^", "\u0000", "()"]) {
      await expect(search(bench, query)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining("The query has no word."),
      });
    }
    await expect(search(bench, "a", { query_against: "id" })).rejects.toMatchObject({
      status: 422,
    });
    expect(ids(await search(bench, "plain"))).toHaveLength(1);
  });

  it("drop rolled-back data, and keep the invocation", async () => {
    const bench = openHistory(await stores.open());
    const [conversation, interaction, run] = [newId(), newId(), newId()];
    const recorded = await bench.record(
      inConversation(conversation, interaction),
      inConversation(conversation),
      inSimulation(run),
      inConversation(newId()),
    );
    const rollBack = (body: object): Promise<unknown> =>
      bench.call("roll-back-tool-invocations", { body });
    bench.wait(1000);
    expect(
      await rollBack({
        conversation_id: conversation,
        interaction_ids: [interaction, newId()],
      }),
    ).toEqual({ rolled_back: 1 });
    expect(ids(await list(bench, { conversation_id: conversation }))).toEqual([recorded[1]]);
    expect(await rollBack({ conversation_id: conversation, interaction_ids: [] })).toEqual({
      rolled_back: 0,
    });
    expect(await rollBack({ conversation_id: conversation })).toEqual({
      rolled_back: 1,
    });
    expect(await rollBack({ simulation_unit_test_set_run_id: run })).toEqual({
      rolled_back: 1,
    });
    const { tool_invocations } = await list(bench);
    expect(ids({ tool_invocations })).toEqual(recorded.toReversed());
    expect(tool_invocations[3]).toMatchObject({
      updated_at: "2026-01-01T00:00:01.000Z",
      invocation_source: { conversation_id: null, interaction_id: null },
    });
    expect(tool_invocations[1]).toMatchObject({
      invocation_source: {
        simulation_unit_test_set_run_id: null,
        unit_test_id: null,
        run_index: null,
      },
    });
    expect(tool_invocations[0]).toMatchObject({
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect(bench.audited[0]).toEqual({
      action: "invocation.rollback",
      target: conversation,
      detail: {
        conversation_id: conversation,
        interaction_ids: [interaction, expect.any(String)],
        rolled_back: 1,
      },
    });
    const wrong = {
      conversation_id: conversation,
      simulation_unit_test_set_run_id: run,
    };
    for (const body of [{}, wrong, { simulation_unit_test_set_run_id: run, interaction_ids: [] }]) {
      await expect(rollBack(body)).rejects.toMatchObject({ status: 422 });
    }
  });

  it("name what a caller needs", async () => {
    const store = await stores.open();
    const routes = invocationRoutes({
      store,
      audit: { record: async () => {}, recordAlone: async () => {} },
      now: Date.now,
    });
    const needed = routes.map((route) => ("permission" in route ? route.permission : "open"));
    const both = ["Conversation:GetInteractionInsights", "Simulation:GetSimulationUnitTestSetRun"];
    expect(needed).toEqual([both, both, both, null, both, "Conversation:RollBackInteraction"]);
  });
});
