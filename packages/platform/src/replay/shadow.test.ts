import { expect, it } from "vitest";
import { fail, succeed } from "../invoke/test-support/open-invoke.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { compareResults } from "./compare-results.ts";
import type { ShadowReport, ShadowRequest } from "./shadow-schemas.ts";
import { openReplay, type ReplayBench } from "./test-support/open-replay.ts";

const since = "2025-12-31T00:00:00Z";

describeStores("a shadow run", (stores) => {
  const shadow = (
    { caller, toolId }: ReplayBench,
    body: Partial<ShadowRequest> = {},
  ): Promise<ShadowReport> =>
    caller.get("shadow-tool-version", {
      params: { tool_id: toolId },
      body: { candidate: "1.1.0", since, limit: 500, ...body },
    });

  it("reports exactly the inputs whose results changed, in simulation, without records", async () => {
    const bench = await openReplay(await stores.open());
    const output = (n: unknown, more: object): ReturnType<typeof succeed> =>
      succeed(JSON.stringify({ sum: n, at: Math.random(), key: "hush-hush", ...more }));
    bench.act = (_version, { input }) => output(input.n, {});
    const planted: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const id = await bench.invoke({ n });
      if (n % 33 === 5) planted.push(id);
    }
    await bench.publish("1.1.0", true);
    bench.runs.length = 0;
    bench.act = (version, { input }) =>
      output(input.n, version === "1.1.0" && Number(input.n) % 33 === 5 ? { sum: -1 } : {});
    const report = await shadow(bench, { ignore: ["at"] });
    expect(report).toMatchObject({ compared: 100, same: 97, different: 3, skipped: 0 });
    expect(report.differences).toEqual(
      [5, 38, 71].map((n, index) => ({
        invocation_id: planted[index],
        version: "1.0.0",
        kind: "output",
        changes: [{ path: "sum", before: `${n}`, after: "-1" }],
      })),
    );
    expect(new Set(bench.runs.map(([version, { mode }]) => `${version} ${mode}`))).toEqual(
      new Set(["1.1.0 conversation-simulation"]),
    );
    const history = await bench.caller.get<{ tool_invocations: object[]; has_more: boolean }>(
      "get-tool-invocations",
    );
    expect([history.tool_invocations.length, history.has_more]).toEqual([100, false]);
    expect(await shadow(bench, { ignore: ["at"], against: "latest" })).toMatchObject({
      different: 3,
      against: "latest",
    });
    expect(await shadow(bench, { ignore: ["at"], limit: 10 })).toMatchObject({
      compared: 10,
      has_more: true,
    });
  });

  it("tells apart what fails, succeeds, is refused, and can't be run", async () => {
    const bench = await openReplay(await stores.open());
    bench.act = (version, { input }) =>
      (version === "1.0.0") === (input.what === "fails later") ? succeed("fine") : fail("bad");
    const ids = [
      await bench.invoke({ what: "fails later" }),
      await bench.invoke({ what: "succeeds later" }),
      await bench.invoke({ what: "hush-hush" }),
    ];
    await bench.publish("1.1.0", true);
    const report = await shadow(bench);
    expect(report.differences).toEqual([
      {
        ...{ invocation_id: ids[0], version: "1.0.0", kind: "now-fails" },
        changes: [{ path: "", before: "fine", after: "RangeError: bad" }],
      },
      {
        ...{ invocation_id: ids[1], version: "1.0.0", kind: "now-succeeds" },
        changes: [{ path: "", before: "RangeError: bad", after: "fine" }],
      },
    ]);
    expect(report.skips).toMatchObject([
      { invocation_id: ids[2], reason: expect.stringContaining("masks") },
    ]);
    await expect(shadow(bench, { candidate: "latest" })).rejects.toThrow("exact version");
    await expect(shadow(bench, { candidate: "7.0.0" })).rejects.toMatchObject({ status: 404 });
  });
});

it.each([
  ['{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1 }', [], []],
  ['{"a":[{"t":1,"v":2}]}', '{"a":[{"t":9,"v":2}]}', [["a", "*", "t"]], []],
  ['{"a":[{"t":1}]}', '{"a":[{"t":1},{"t":2}]}', [], [["a.1", null, '{"t":2}']]],
  ['{"a":1}', "[1]", [], [["", '{"a":1}', "[1]"]]],
  ["7", "7.0", [], [["", "7", "7.0"]]],
  [
    `${"x".repeat(90)}one`,
    `${"x".repeat(90)}two`,
    [],
    [["", `…${"x".repeat(40)}one`, `…${"x".repeat(40)}two`]],
  ],
] as const)("compares %s with %s", (...row) => {
  const [before, after, ignored, changes] = row;
  const [one, other] = [before, after].map((output) => ({ succeeded: true, output }) as const);
  if (one === undefined || other === undefined) throw new Error("unreachable");
  const found = compareResults(one, other, ignored);
  expect(found.map(({ path, before: left, after: right }) => [path, left, right])).toEqual(changes);
});
