import { expect, it } from "vitest";
import type { InvocationPage } from "../history/invocation-schemas.ts";
import { fail, makeInput, succeed } from "../invoke/test-support/open-invoke.ts";
import { newId } from "../new-id.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import type { RetryRequest, RetryResults } from "./retry-schemas.ts";
import { openReplay, type ReplayBench } from "./test-support/open-replay.ts";

describeStores("retries", (stores) => {
  const retry = ({ caller }: ReplayBench, body: RetryRequest): Promise<RetryResults> =>
    caller.get("retry-tool-invocations", { body });

  it("repeat what failed since a moment with the fixed version, linked both ways", async () => {
    const bench = await openReplay(await stores.open());
    bench.act = () => fail("broken");
    await bench.invoke({ n: 0 });
    bench.wait(3_600_000);
    const since = new Date(Date.UTC(2026, 0, 1) + 1_800_000).toISOString();
    const source = {
      ...({ type: "regular-conversation", user_id: newId() } as const),
      ...{ conversation_id: newId(), interaction_id: null },
      invocation_metadata: {
        type: "engage-user",
        current_state_machine_and_version: ["graph", 1],
        tool_call_round_index: 0,
      },
    };
    const one = await bench.invoke({ n: 1, deep: { list: [1, { a: 2 }] } });
    const request = { inputs: [makeInput({ input_parameters: { n: 2 } })], source };
    const other = await bench.invoke({}, { call: { request } });
    bench.act = () => succeed("fine");
    const fine = await bench.invoke({ n: 3 });
    await bench.publish("1.0.1");
    const order = { since, tool_id: [bench.toolId] };
    const dry = await retry(bench, { ...order, dry_run: true });
    expect(
      dry.retries.map(({ invocation_id, status, version }) => [invocation_id, status, version]),
    ).toEqual([
      [one, "would-run", "1.0.1"],
      [other, "would-run", "1.0.1"],
    ]);
    bench.runs.length = 0;
    const set = [{ path: "deep.list.1.a", value: { b: null } }];
    const done = await retry(bench, { ...order, set });
    expect(done).toMatchObject({ succeeded: 2, failed: 0, skipped: 0, has_more: false });
    const ran = bench.runs.toSorted(([, a], [, b]) => Number(a.input.n) - Number(b.input.n));
    expect(ran.map(([version, { input }]) => [version, input])).toEqual([
      ["1.0.1", { n: 1, deep: { list: [1, { a: { b: null } }] } }],
      ["1.0.1", { n: 2, deep: { list: { 1: { a: { b: null } } } } }],
    ]);
    const [again, talk] = done.retries;
    expect(await bench.find(again?.retried_as ?? "")).toMatchObject({ retry_of: one });
    expect(await bench.find(one)).toMatchObject({
      retried_by: [again?.retried_as],
      retry_of: null,
    });
    expect(await bench.find(talk?.retried_as ?? "")).toMatchObject({
      retry_of: other,
      invocation_source: source,
    });
    expect(await bench.find(fine)).toMatchObject({ retried_by: [] });
    // What was repeated is not repeated by the same request.
    expect(await retry(bench, order)).toMatchObject({ retries: [] });
    // By its ID it is, even if it succeeded.
    expect(await retry(bench, { invocation_ids: [fine] })).toMatchObject({ succeeded: 1 });
  });

  it("say of each invocation why it can't be repeated", async () => {
    const bench = await openReplay(await stores.open());
    const masked = await bench.invoke({ auth: { token: "Bearer hush-hush" } });
    const given = { nonsensitive_user_variables: { city: "Rome" } };
    const variables = await bench.invoke({ n: 1 }, { request: given });
    const fine = await bench.invoke({ n: 2 });
    const unknown = newId();
    const invocation_ids = [masked, variables, fine, unknown];
    const { retries, ...counts } = await retry(bench, { invocation_ids, version: "1.0.0" });
    expect(counts).toEqual({ succeeded: 1, failed: 0, skipped: 3, has_more: false });
    const details = Object.fromEntries(retries.map((each) => [each.invocation_id, each.detail]));
    expect(details).toEqual({
      [masked]:
        "Its input has a secret at auth.token, which history masks. Set another value there.",
      [variables]: "It was invoked with user variables, which history does not keep.",
      [fine]: null,
      [unknown]: `There is no invocation ${unknown}.`,
    });
    const changed = await retry(bench, {
      invocation_ids: [masked, variables],
      set: [{ path: "auth.token", value: "other" }],
      allow_missing_context: true,
    });
    expect(changed).toMatchObject({ succeeded: 2 });
    await expect(retry(bench, {})).rejects.toThrow("since");
    const strange = { invocation_ids: [fine], set: [{ path: "a..b", value: 1 }] };
    await expect(retry(bench, strange)).rejects.toThrow('"a..b" is not a path');
    const foreign = { invocation_ids: [fine], version: "9.0.0" };
    expect(await retry(bench, foreign)).toMatchObject({
      retries: [{ status: "skipped", detail: expect.stringContaining('no version "9.0.0"') }],
    });
  });

  it("are found in history by user and by fields of the input", async () => {
    const bench = await openReplay(await stores.open());
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1)
      ids.push(await bench.invoke({ n, order: { kind: `k${n % 2}` } }));
    const list = async (query: Record<string, string | string[]>): Promise<InvocationPage> =>
      bench.caller.get("get-tool-invocations", { query });
    const found = async (query: Record<string, string | string[]>): Promise<string[]> =>
      (await list(query)).tool_invocations.map(({ id }) => id);
    expect(await found({ input: "n=3" })).toEqual([ids[3]]);
    expect(await found({ input: ["order.kind=k0", "n=2"] })).toEqual([ids[2]]);
    expect(await found({ user_id: bench.caller.userId })).toHaveLength(7);
    expect(await found({ user_id: newId() })).toEqual([]);
    const page = await list({ input: "order.kind=k0", limit: "3" });
    expect(page.tool_invocations.map(({ id }) => id)).toEqual([ids[6], ids[4], ids[2]]);
    const token = String(page.continuation_token);
    expect(await found({ input: "order.kind=k0", continuation_token: token })).toEqual([ids[0]]);
    await expect(list({ input: "n" })).rejects.toThrow("customer.id=7");
  });
});
