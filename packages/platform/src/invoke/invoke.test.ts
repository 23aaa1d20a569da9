import { expect, it, onTestFinished } from "vitest";
import { newId } from "../new-id.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import type { InvokeCall } from "./create-invoker.ts";
import type { KeyedRequest } from "./idempotency.ts";
import type { InvokeRequest } from "./invoke-request.ts";
import {
  type BenchOptions,
  fail,
  type InvokeBench,
  makeInput,
  makePrincipal,
  openInvokeBench,
  succeed,
} from "./test-support/open-invoke.ts";

describeStores("invoking", (stores) => {
  const open = async (options?: BenchOptions, store?: Store): Promise<InvokeBench> => {
    const bench = openInvokeBench(store ?? (await stores.open()), options);
    onTestFinished(() => bench.close());
    return bench;
  };
  const callOf = (bench: InvokeBench, request: Partial<InvokeRequest> = {}): InvokeCall => ({
    principal: bench.principal,
    toolId: bench.version.toolId,
    version: "latest",
    request: { inputs: [makeInput()], ...request },
  });

  it("runs every input and records how each ended before it answers", async () => {
    const bench = await open();
    bench.act = ({ input }) =>
      input.times === undefined ? succeed(`${input.word}!`) : fail("too often", ["RangeError: x"]);
    const inputs = [
      makeInput(),
      makeInput({
        input_parameters: { word: "no", times: 9 },
        invocation_mode: "conversation-simulation",
      }),
    ];
    const { results, version } = await bench.invoker.invoke(callOf(bench, { inputs }));
    expect(version).toBe(bench.version);
    expect(results).toEqual([
      { succeeded: true, output: "hello!", duration_ms: 2 },
      {
        succeeded: false,
        exception_type: "RangeError",
        exception_message: "too often",
        exception_stack_trace: ["RangeError: x"],
        duration_ms: 2,
      },
    ]);
    const rows = (await bench.rows()).toSorted((a, b) => b.succeeded - a.succeeded);
    expect(rows).toMatchObject([
      {
        id: bench.runs[0]?.invocationId,
        org_id: bench.principal.organization,
        tool_id: bench.version.toolId,
        major: 1,
        minor: 2,
        patch: 3,
        source_type: "direct",
        user_id: bench.principal.userId,
        conversation_id: null,
        mode: "regular",
        succeeded: 1,
        output: "hello!",
        exception_type: null,
        inputs: '{"word":"hello"}',
        duration_ms: 2,
        created_at: bench.parts.now(),
        updated_at: bench.parts.now(),
      },
      {
        mode: "conversation-simulation",
        succeeded: 0,
        output: null,
        exception_type: "RangeError",
        exception_message: "too often",
        exception_stack_trace: '["RangeError: x"]',
        inputs: '{"word":"no","times":9}',
      },
    ]);
  });

  it("runs nothing if one input does not fit, and says which and why", async () => {
    const bench = await open();
    const inputs = [makeInput(), makeInput({ input_parameters: { word: "x", times: "two" } })];
    await expect(bench.invoker.invoke(callOf(bench, { inputs }))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/inputs\[1\].*times must be integer.*Nothing was run/u),
    });
    const missing = { inputs: [makeInput({ input_parameters: {} })] };
    await expect(bench.invoker.invoke(callOf(bench, missing))).rejects.toMatchObject({
      message: expect.stringMatching(/inputs\[0\].*word is missing/u),
    });
    expect([bench.runs, await bench.rows()]).toEqual([[], []]);
  });

  it("reads variables again each time, and runs nothing if one is missing", async () => {
    const bench = await open({
      manifest: { requiredEnvvars: ["CITY"], requiredSecretEnvvars: ["API_TOKEN"] },
    });
    bench.variables = { CITY: "Bonn" };
    await expect(bench.invoker.invoke(callOf(bench))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/greeter requires the variable API_TOKEN.*envvar/u),
    });
    bench.variables = { CITY: "Bonn", API_TOKEN: "one" };
    await bench.invoker.invoke(callOf(bench));
    bench.variables = { CITY: "Ulm", API_TOKEN: "two" };
    await bench.invoker.invoke(callOf(bench));
    expect(bench.runs.map(({ config }) => config)).toEqual([
      { CITY: "Bonn", API_TOKEN: "one" },
      { CITY: "Ulm", API_TOKEN: "two" },
    ]);
  });

  it("fails if an output does not match the output schema", async () => {
    const outputSchema = {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
    } as const;
    const bench = await open({ manifest: { outputSchema } });
    const outputs = ['{"n":1}', '{"n":"1"}', "no JSON"];
    bench.act = () => succeed(outputs.shift() ?? "");
    const inputs = [makeInput(), makeInput(), makeInput()];
    const { results } = await bench.invoker.invoke(callOf(bench, { inputs }));
    expect(results).toMatchObject([
      { succeeded: true, output: '{"n":1}' },
      {
        exception_type: "InvalidOutput",
        exception_message: expect.stringMatching(/tool\.json: n /u),
      },
      { exception_type: "InvalidOutput", exception_message: expect.stringContaining("the output") },
    ]);
    expect((await bench.rows()).map(({ succeeded }) => succeeded)).toEqual([1, 0, 0]);
  });

  it("keeps no secret anywhere, and answers with what the tool said", async () => {
    const bench = await open({ manifest: { requiredSecretEnvvars: ["API_TOKEN"] } });
    bench.variables = { API_TOKEN: "tok-9" };
    bench.act = (run) => {
      const nothing = { text: "", omittedCharacters: 0 };
      const stderr = { text: "has tok-9 and s3cret\0\n", omittedCharacters: 0 };
      return run.input.word === "fail"
        ? fail("s3cret is wrong", ["at s3cret.ts", 'at "q\\"uote"'])
        : {
            ...succeed('{"echo":"s3cret","token":"tok-9","odd":"q\\"uote"}\0'),
            printed: { stdout: nothing, stderr },
          };
    };
    const sensitive_user_variables = { pin: "s3cret", odd: 'q"uote' };
    const inputs = [
      makeInput({ sensitive_user_variables, nonsensitive_user_variables: { city: "Bonn" } }),
      makeInput({ input_parameters: { word: "fail", again: "s3cret" }, sensitive_user_variables }),
    ];
    const { results } = await bench.invoker.invoke(callOf(bench, { inputs }));
    expect(results[0]).toMatchObject({
      output: '{"echo":"s3cret","token":"tok-9","odd":"q\\"uote"}\0',
    });
    expect(bench.runs[0]).toMatchObject({
      userVariables: { city: "Bonn" },
      sensitiveUserVariables: sensitive_user_variables,
    });
    expect(bench.runs[0]?.secrets).toEqual(["tok-9"]);
    const kept = await bench.rows();
    expect(kept).toHaveLength(2);
    expect(kept.map(({ printed }) => printed)).toContainEqual(
      expect.stringContaining("has ••• and •••"),
    );
    expect(JSON.stringify(kept)).not.toMatch(/s3cret|tok-9|q.{0,3}uote|Bonn|pin/u);
    expect(kept.map(({ inputs }) => JSON.parse(inputs))).toContainEqual({
      word: "fail",
      again: "•••",
    });
  });

  it("prefers the user variables of a request to those of the profile", async () => {
    const bench = await open({
      invoker: {
        readUserVariables: async (_, userId) => ({
          plain: { user: userId, city: "Bonn", kind: "plain" },
          sensitive: { pin: "1234", code: "profile" },
        }),
      },
    });
    bench.act = () => succeed("the code is request, the pin 1234");
    const input = makeInput({
      nonsensitive_user_variables: { city: "Ulm", code: "shown" },
      sensitive_user_variables: { kind: "hidden" },
    });
    await bench.invoker.invoke(callOf(bench, { inputs: [input] }));
    expect(bench.runs[0]).toMatchObject({
      userVariables: { user: bench.principal.userId, city: "Ulm", code: "shown" },
      sensitiveUserVariables: { pin: "1234", kind: "hidden" },
    });
    expect(bench.runs[0]?.userVariables).not.toHaveProperty("kind");
    expect((await bench.rows())[0]?.output).toBe("the code is request, the pin •••");
  });

  it("refuses to invoke for another user without the permission to read users", async () => {
    const bench = await open();
    const source = {
      type: "regular-conversation",
      user_id: newId(),
      conversation_id: newId(),
      interaction_id: null,
      invocation_metadata: { type: "engage-user", tool_call_round_index: 1 },
    } as const;
    const principal = { ...bench.principal, may: () => false };
    const call = { ...callOf(bench, { source }), principal };
    await expect(bench.invoker.invoke(call)).rejects.toMatchObject({ status: 403 });
    expect(bench.runs).toEqual([]);
  });

  it("records on whose behalf it was invoked", async () => {
    const bench = await open();
    const user_id = newId();
    const invocation_metadata = { type: "engage-user", tool_call_round_index: 1 };
    const conversation_id = newId();
    const conversation = { id: conversation_id, messages: [] };
    await bench.invoker.invoke(
      callOf(bench, {
        conversation,
        source: {
          type: "regular-conversation",
          user_id,
          conversation_id,
          interaction_id: null,
          invocation_metadata,
        },
      }),
    );
    await bench.invoker.invoke(
      callOf(bench, {
        source: {
          type: "simulation-conversation",
          simulation_unit_test_set_run_id: "run",
          unit_test_id: "unit",
          run_index: 3,
          invocation_metadata,
        },
      }),
    );
    expect(bench.runs.map((run) => run.conversation)).toEqual([conversation, null]);
    const source_metadata = JSON.stringify(invocation_metadata);
    expect(await bench.rows()).toMatchObject([
      { source_type: "regular-conversation", user_id, conversation_id, source_metadata },
      {
        source_type: "simulation-conversation",
        user_id: null,
        conversation_id: null,
        simulation_run_id: "run",
        unit_test_id: "unit",
        run_index: 3,
        source_metadata,
      },
    ]);
  });

  const claimOf = (bench: InvokeBench, over: Partial<KeyedRequest> = {}) =>
    bench.idempotency.claim({ principal: bench.principal, key: "k", content: "body", ...over });
  const answer = { status: 200, headers: { "x-tool-version": "1.2.3" }, body: '{"a":"s3cret"}' };
  const mine = async (bench: InvokeBench, over: Partial<KeyedRequest> = {}) => {
    const claim = await claimOf(bench, over);
    if (claim.answer !== undefined) throw new Error("It was answered already.");
    return claim;
  };

  it("gives the first answer again for the same key, and keeps it sealed", async () => {
    const store = await stores.open();
    const bench = await open({}, store);
    await (await mine(bench)).keep(answer);
    expect((await claimOf(bench)).answer).toEqual(answer);
    const restarted = await open({ parts: { secrets: bench.parts.secrets } }, store);
    const again = await restarted.idempotency.claim({
      principal: bench.principal,
      key: "k",
      content: "body",
    });
    expect(again.answer).toEqual(answer);
    const rows = await store.db.selectFrom("idempotent_answers").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("s3cret");
    await expect(claimOf(bench, { content: "other" })).rejects.toMatchObject({ status: 422 });
    // Others' keys are their own.
    const others = [
      { ...bench.principal, keyId: newId() },
      makePrincipal({ keyId: bench.principal.keyId }),
    ];
    for (const principal of others) await (await mine(bench, { principal })).release();
  });

  it("lets a repeated request wait for the first, and refuses a different body at once", async () => {
    const bench = await open();
    const first = await mine(bench);
    const waiting = Promise.all([claimOf(bench), claimOf(bench)]);
    await expect(claimOf(bench, { content: "other" })).rejects.toMatchObject({ status: 422 });
    await first.keep(answer);
    expect((await waiting).map((claim) => claim.answer)).toEqual([answer, answer]);
  });

  it("carries out a request again if it did not run or has expired", async () => {
    const bench = await open();
    await (await mine(bench)).release();
    await (await mine(bench, { content: "fixed" })).keep(answer);
    bench.parts.advance(24 * 3_600_000 - 1);
    expect((await claimOf(bench, { content: "fixed" })).answer).toEqual(answer);
    bench.parts.advance(1);
    await (await mine(bench)).keep(answer);
    expect((await claimOf(bench)).answer).toEqual(answer);
  });

  it("never repeats what may have run", async () => {
    const store = await stores.open();
    const bench = await open({}, store);
    const claim = await mine(bench);
    claim.leave();
    const interrupted = {
      status: 409,
      message: expect.stringContaining("may have run"),
      headers: {},
    };
    await expect(claimOf(bench)).rejects.toMatchObject(interrupted);
    // The process that was at it is gone.
    const other = openInvokeBench(store, { parts: { processId: "later" } });
    await expect(
      other.idempotency.claim({ principal: bench.principal, key: "k", content: "body" }),
    ).rejects.toMatchObject(interrupted);
    // It lives, and may still be at it.
    await store.db
      .insertInto("processes")
      .values({ id: bench.parts.processId, role: "all", heartbeat_at: bench.parts.now() })
      .execute();
    await expect(
      other.idempotency.claim({ principal: bench.principal, key: "k", content: "body" }),
    ).rejects.toMatchObject({ status: 409, headers: { "retry-after": "1" } });
    await other.close();
  });

  it.each(["", "x".repeat(256)])("refuses the key %j", async (key) => {
    const bench = await open();
    await expect(claimOf(bench, { key })).rejects.toMatchObject({ status: 400 });
  });
});
