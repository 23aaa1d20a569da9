import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readExpectedFailures } from "./read-expected-failures.ts";
import { runSuite, type Suite } from "./run-suite.ts";

const program = fileURLToPath(new URL("server.ts", import.meta.url));
const current: Suite = "@modelcontextprotocol/conformance";
const coming: Suite = "conformance-2026";

describe("our server in the eyes of the official suites", () => {
  let server: ChildProcess;
  let url: string;
  const failures: [Suite, string][] = [];

  beforeAll(async () => {
    server = spawn(process.execPath, [program], {
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (server.stdout === null) throw new Error("The server has no output.");
    const [line] = await once(createInterface(server.stdout), "line");
    url = String(line);
  });

  afterAll(async () => {
    server.kill();
    await once(server, "exit");
  });

  const runs: [string, Suite, string[]][] = [
    ["what the revision of 2025-11-25 requires", coming, ["--requirements", "2025-11-25"]],
    ["what the revision of 2026-07-28 requires", coming, ["--requirements", "2026-07-28"]],
    ["every scenario there is", coming, ["--suite", "all"]],
    ["every scenario of the suite that is out", current, ["--suite", "all"]],
  ];

  it.for(runs)("meets %s", { timeout: 60_000 }, async ([_, suite, args]) => {
    const { passed, failed, output } = await runSuite(suite, ["server", "--url", url, ...args]);
    for (const name of failed) failures.push([suite, name]);
    const expected = readExpectedFailures(suite, "server");
    const unexpected = failed.filter((name) => !expected.includes(name));
    expect(unexpected, output).toEqual([]);
    expect(passed.length).toBeGreaterThan(25);
  });

  it.for([current, coming])("fails all that the list for %s says", (suite) => {
    const failed = failures.flatMap(([of, name]) => (of === suite ? [name] : []));
    expect(new Set(failed)).toEqual(new Set(readExpectedFailures(suite, "server")));
  });
});
