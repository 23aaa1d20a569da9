import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Desk, openDesk } from "./fixture/open-desk.ts";
import { readExpectedFailures } from "./read-expected-failures.ts";
import { runSuite, type Suite } from "./run-suite.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const current: Suite = "@modelcontextprotocol/conformance";
const coming: Suite = "conformance-2026";

describe("our client in the eyes of the official suites", () => {
  const failures: [Suite, string][] = [];
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk(8);
  });

  afterAll(() => desk.close());

  // The two requirement sets run every scenario once at each revision that it belongs to, but for
  // those of revisions before them.
  const runs: [string, Suite, string[]][] = [
    ["what the revision of 2025-11-25 requires", coming, ["--requirements", "2025-11-25"]],
    ["what the revision of 2026-07-28 requires", coming, ["--requirements", "2026-07-28"]],
    ["how servers of old sign people in", coming, ["--suite", "backcompat"]],
    ["every scenario of the suite that is out", current, ["--suite", "all"]],
  ];

  it.for(runs)("meets %s", { timeout: 120_000 }, async ([_, suite, args]) => {
    const command = `bash "${pathOf("fixture/client-at-desk.sh")}" ${desk.port}`;
    const client = ["client", "--command", command, "--timeout", "90000"];
    const { passed, failed, output } = await runSuite(suite, [...client, ...args]);
    for (const name of failed) failures.push([suite, name]);
    const expected = readExpectedFailures(suite, "client");
    const unexpected = failed.filter((name) => !expected.includes(name));
    expect(unexpected, output).toEqual([]);
    expect(passed).not.toEqual([]);
  });

  it.for([current, coming])("fails all that the list for %s says", (suite) => {
    const failed = failures.flatMap(([of, name]) => (of === suite ? [name] : []));
    expect(new Set(failed)).toEqual(new Set(readExpectedFailures(suite, "client")));
  });

  it("is a program of its own too", async () => {
    const command = `"${process.execPath}" "${pathOf("client.ts")}"`;
    const client = ["client", "--command", command, "--scenario", "auth/metadata-default"];
    const { exitCode, output } = await runSuite(coming, client);
    expect(exitCode, output).toBe(0);
  });
});
