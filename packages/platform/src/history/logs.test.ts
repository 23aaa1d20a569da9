import { expect, it, onTestFinished } from "vitest";
import { newId } from "../new-id.ts";
import type { OnPrint, PrintedOutput } from "../runner/printed-output.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createLiveOutput } from "./live-output.ts";
import type { InvocationLogs, RunningInvocations } from "./log-schemas.ts";
import { openHistory, sampleRow } from "./test-support/open-history.ts";

const nothing = { text: "", omitted_characters: 0 };

function printed(text: string): PrintedOutput {
  const stderr = { text: "", omittedCharacters: 0 };
  return { stdout: { text, omittedCharacters: 2 }, stderr };
}

describeStores("what invocations print", (stores) => {
  it("is shown for one invocation and, if asked for, in lists", async () => {
    const bench = openHistory(await stores.open());
    onTestFinished(() => bench.history.close());
    const [silent = "", loud = "", odd = ""] = await bench.record(
      {},
      { printed: JSON.stringify(printed("hello\n")) },
      { printed: "{damaged" },
    );
    const logs = (invocation_id: string): Promise<InvocationLogs> =>
      bench.call("get-tool-invocation-logs", { params: { invocation_id } });
    const shown = { stdout: { text: "hello\n", omitted_characters: 2 }, stderr: nothing };
    expect(await logs(loud)).toEqual({ invocation_id: loud, is_running: false, ...shown });
    expect(await logs(silent)).toMatchObject({ stdout: nothing, stderr: nothing });
    expect(await logs(odd)).toMatchObject({ stdout: nothing });
    const list = (query: Record<string, string>) => bench.call("get-tool-invocations", { query });
    expect(await list({ with_logs: "true" })).toMatchObject({
      tool_invocations: [{ id: odd }, { id: loud, logs: shown }, { id: silent, logs: {} }],
    });
    expect(JSON.stringify(await list({}))).not.toContain("hello");
    const stranger = bench.enter(newId());
    const params = { invocation_id: loud };
    await expect(stranger.call("get-tool-invocation-logs", { params })).rejects.toThrow(
      `There is no invocation ${loud}.`,
    );
  });

  it("is shown while they run, and kept if their process dies", async () => {
    const store = await stores.open();
    const dead = openHistory(store, { longMs: 1, processId: "gone" });
    const draft = sampleRow({ org_id: dead.organization });
    const { end: _ } = dead.history.begin(draft);
    const follow: OnPrint = createLiveOutput({ store }, { intervalMs: 1 });
    const text = "step 1\n";
    let isRunning = true;
    follow(draft.id, () => (isRunning ? printed(text) : undefined));
    const running = (tool: string) =>
      dead.call<RunningInvocations>("get-running-tool-invocations", { query: { tool_id: tool } });
    await expect
      .poll(async () => (await running(draft.tool_id)).running_invocations)
      .toMatchObject([
        {
          id: draft.id,
          tool_id: draft.tool_id,
          tool_version: { major: 1 },
          logs: { stdout: { text } },
        },
      ]);
    isRunning = false;
    expect(await running(newId())).toEqual({ running_invocations: [] });
    const params = { invocation_id: draft.id };
    const logs = () => dead.call<InvocationLogs>("get-tool-invocation-logs", { params });
    expect(await logs()).toMatchObject({ is_running: true, stdout: { text } });
    await store.db.deleteFrom("processes").execute();
    const heir = openHistory(store);
    await heir.history.tidy();
    expect(await logs()).toMatchObject({ is_running: false, stdout: { text } });
    await Promise.all([dead.history.close(), heir.history.close()]);
  });
});
