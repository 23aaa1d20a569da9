import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "../serve/test-support/open-platform.ts";
import { nodeProject } from "../serve/test-support/tool-projects.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { LatestReply } from "../versions/latest-schemas.ts";
import type { AcceptedInvocations, AsyncInvocation } from "./async-schemas.ts";

// Says which version it is before and after it waits.
const code = (version: string, end: string): string => `
export const runTool = async ({ step, sleep, toolInput }) => {
  const before = await step("before", () => "${version}");
  await sleep(toolInput.ms);
  if (toolInput.fails) throw new Error("too bad");
  ${end}
  return { before, after: "${version}" };
};`;

describe.each([
  { store: "SQLite", database: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", database: newDatabase }]),
])("asynchronous invocations in a canary on $store", ({ database }) => {
  let platform: TestPlatform;
  let toolId: string;
  beforeAll(async () => {
    platform = await openPlatform({
      ...{ database: await database(), settings: { runner: { blankWorkers: 1 } } },
    });
    await platform.push(nodeProject("waiter", {}, code("stable", "")));
    toolId = await platform.createTool("waiter");
    await platform.publish(toolId, "waiter");
    await platform.push(nodeProject("waiter", {}, code("canary", 'throw new Error("broken");')));
    const order = { project_path: "waiter", bump_type: "minor", candidate: true };
    expectStatus(await platform.call("POST", `tool/${toolId}/version`, { body: order }), 201);
  }, 60_000);
  afterAll(() => platform?.close());

  const accept = async (input: object): Promise<string> => {
    const inputs = [{ input_parameters: input, invocation_mode: "regular" }];
    const answer = await platform.call<AcceptedInvocations>(
      "POST",
      `tool/${toolId}/version/latest/invoke`,
      { body: { inputs }, headers: { prefer: "respond-async" } },
    );
    return expectStatus(answer, 202).invocations[0]?.id ?? "";
  };
  const end = async (id: string): Promise<AsyncInvocation> => {
    for (;;) {
      const path = `tool/invocation/${id}/status`;
      const status = expectStatus(await platform.call<AsyncInvocation>("GET", path), 200);
      if (status.state === "ended") return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const canary = async () =>
    expectStatus(await platform.call<LatestReply>("GET", `tool/${toolId}/latest`), 200).canary;

  it("get their share when they are accepted, stay on their version, and take it back", async () => {
    const rule = { version: "1.1.0", percent: 50, abort_if: "errors > 5%" };
    expectStatus(await platform.call("POST", `tool/${toolId}/canary`, { body: rule }), 200);
    const late = [await accept({ ms: 3_000 }), await accept({ ms: 3_000 })];
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) ids.push(await accept({ ms: 10 }));
    const ended = await Promise.all(ids.map(end));
    const versions = ended.map(({ tool_version: { minor } }) => minor);
    expect(versions.filter((minor) => minor === 1)).toHaveLength(4);
    for (const { result, tool_version } of ended) {
      expect(result).toMatchObject(
        tool_version.minor === 0
          ? { succeeded: true, output: JSON.stringify({ before: "stable", after: "stable" }) }
          : { succeeded: false, exception_message: "broken" },
      );
    }
    await vi.waitFor(async () => expect((await canary())?.outcome).toBe("aborted"), 10_000);
    expect(await canary()).toMatchObject({ outcome: "aborted" });
    // What was accepted on the canary goes on there, and counts no longer.
    const counts = await canary();
    const [first, second] = await Promise.all(late.map(end));
    expect([first, second].map((each) => each?.tool_version.minor).sort()).toEqual([0, 1]);
    expect(await canary()).toEqual(counts);
    expect((await end(await accept({ ms: 1 }))).tool_version.minor).toBe(0);
  });
});
