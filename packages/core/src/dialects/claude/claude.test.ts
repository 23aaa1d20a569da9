import { describe, expect, it } from "vitest";
import { makeResultEnvironment } from "../../test-support/make-result-environment.ts";
import { bash, taskOutput } from "./shell.ts";
import { webSearch } from "./web.ts";

const [foreground] = bash;
const run = (data: object): unknown => foreground?.toData?.(data, {}, makeResultEnvironment());

describe("the text of Bash", () => {
  it("has the signal, and what no exit code tells", () => {
    expect(run({ output: "", exit_code: null, signal: "SIGKILL" })).toBe(
      "Ended by SIGKILL\n(no output)",
    );
    const advice = "It continues as cmd-a.";
    expect(run({ output: "x\n", exit_code: null, job_id: "cmd-a", advice })).toBe(
      "x\n\n[It continues as cmd-a.]",
    );
    expect(run({ output: "x\n", exit_code: 0, refused_hosts: ["a.io"], advice: "So." })).toBe(
      "x\n\n[The connection to a.io was refused.]\n[So.]",
    );
  });
});

describe("TaskOutput", () => {
  it("waits for a command only with block, and for a limited time", () => {
    const [output] = taskOutput;
    const convert = (given: object): unknown => output?.toArguments?.({ task_id: "a", ...given });
    expect(convert({ timeout: 5 })).toEqual({ job_id: "a" });
    expect(convert({ block: true })).toEqual({ job_id: "a", wait_for: "exit" });
    expect(convert({ block: true, timeout: 9e9 })).toMatchObject({ wait_ms: 600_000 });
  });
});

describe("the text of WebSearch", () => {
  const results = ["https://a.io/1", "https://docs.b.io/2", "https://evil-b.io/3"].map((url) => ({
    title: "T",
    url,
    snippet: "S",
  }));
  const search = (given: object): string =>
    String(
      webSearch.toData?.(
        { results },
        {},
        makeResultEnvironment({ given: { query: "q", ...given } }),
      ),
    );

  it("has all results unless domains are named", () => {
    expect(search({})).toContain("3. T");
    expect(search({ allowed_domains: [] })).toContain("3. T");
  });

  it("keeps to the domains that are allowed and not blocked", () => {
    const only = search({ allowed_domains: ["B.io"] });
    expect(only).toContain("docs.b.io");
    expect(only).not.toContain("evil-b.io");
    expect(only).toContain("[2 results were excluded by domain.]");
    expect(search({ blocked_domains: ["b.io"] })).not.toContain("docs.b.io");
    expect(search({ allowed_domains: ["c.io"] })).toContain('No results for "q".');
  });
});
