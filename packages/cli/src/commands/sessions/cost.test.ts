import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { answered, ended, said, talk } from "./test-support/talk.ts";

interface Ledger {
  readonly result_tokens: number;
  readonly results: readonly {
    readonly tool: string;
    readonly calls: number;
    readonly tokens: number;
    readonly cut: number;
  }[];
  readonly cut: readonly { readonly tool: string; readonly file?: string }[];
  readonly never_used: readonly { readonly tool: string; readonly definition_tokens: number }[];
  readonly usage?: object;
}

describe("haft sessions cost", () => {
  it("counts what the calls of a session without an agent returned, and what was cut", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const seq = ["call", "bash", "command=seq 1 60000", "--yes", "--sandbox", "off"];
    await haft(seq);
    for (let calls = 0; calls < 2; calls++) await haft(["call", "read", "path=a.txt"]);
    const { results, result_tokens, cut, never_used } = (
      await haft(["sessions", "cost", "--json"])
    ).json<Ledger>();
    expect(results.map(({ tool, calls, cut: count }) => [tool, calls, count])).toEqual([
      ["bash", 1, 1],
      ["read", 2, 0],
    ]);
    expect(results[0]?.tokens).toBeGreaterThan(1_000);
    expect(result_tokens).toBe(results.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(cut).toMatchObject([{ tool: "bash" }]);
    const unused = never_used.map(({ tool }) => tool);
    expect(unused).toContain("grep");
    expect(unused).not.toContain("read");
    const { stdout } = await haft(["sessions", "cost"]);
    expect(stdout).toMatch(/^bash +1 +\d+ +1$/mu);
    expect(stdout).toMatch(/^read +2 +\d+$/mu);
    expect(stdout).toMatch(/^Cut: bash /mu);
    expect(stdout).toMatch(/^Never used \(\d+ tokens of definitions\): .*\bgrep\b/mu);
  });

  it.skipIf(isMissing("bwrap"))("counts no result that only a program saw", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "one\n" });
    const code = "await tools.read({ path: 'a.txt' }); return 1;";
    await haft(["call", "run_code", `code=${code}`, "--code", "--yes"]);
    const { results, never_used } = (await haft(["sessions", "cost", "--json"])).json<Ledger>();
    expect(results).toMatchObject([
      { tool: "run_code", calls: 1 },
      { tool: "read", calls: 1, tokens: 0 },
    ]);
    expect(never_used.map(({ tool }) => tool)).not.toContain("read");
  });

  it("counts results as the model of an agent saw them, and what its requests took", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\n" });
    const usage = { input_tokens: 100, output_tokens: 20, cached_tokens: 40 };
    const asked = answered("I look.", "c1");
    await talk(workspace, { name: "work" }, [
      said("Look"),
      { ...asked, usage } as typeof asked,
      {
        kind: "result",
        callId: "c1",
        name: "Read",
        output: { type: "text", value: "x".repeat(400) },
      },
      { ...answered("Done."), usage } as typeof asked,
      ended,
    ]);
    const { haft } = workspace;
    const ledger = (await haft(["sessions", "cost", "work", "--json"])).json<Ledger>();
    expect(ledger.results).toEqual([{ tool: "Read", calls: 1, tokens: 100, cut: 0 }]);
    expect(ledger.usage).toEqual({ input_tokens: 200, output_tokens: 40, cached_tokens: 80 });
    const { stdout } = await haft(["sessions", "cost", "work"]);
    expect(stdout).toContain("Requests of the agent: 200 tokens in (80 from the cache), 40 out.\n");
  });

  it("says that a session has no calls, and which session there is not", async () => {
    const workspace = createTestWorkspace();
    await talk(workspace, { name: "quiet" }, [said("Hello"), ended]);
    const { haft } = workspace;
    expect((await haft(["sessions", "cost", "quiet"])).stdout).toContain("has no recorded calls");
    expect(await haft(["sessions", "cost", "nobody"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no session "nobody" here'),
    });
  });
});
