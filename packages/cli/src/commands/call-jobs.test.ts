import type { ToolResult } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../doctor/checks.ts";
import { createTestWorkspace } from "../test-support/run-haft.ts";

interface Listed {
  readonly data: { readonly jobs: readonly { readonly state: string; readonly pid?: number }[] };
}

describe("jobs from the command line", () => {
  it("continue after the command that started them, and end with their session", async () => {
    const { haft } = createTestWorkspace();
    onTestFinished(async () => {
      await haft(["sessions", "close", "default"]);
    });
    const start = ["call", "job_start", "command=sleep 600", "--sandbox=off", "--yes", "--json"];
    expect((await haft(start)).json<ToolResult>()).toMatchObject({ data: { state: "running" } });
    const list = async () => (await haft(["call", "job_list", "--json"])).json<Listed>().data.jobs;
    expect(await list()).toMatchObject([{ state: "running" }]);
    const findings = (await haft(["doctor", "--json"])).json<Finding[]>();
    expect(findings.find(({ name }) => name === "jobs")?.detail).toContain("1 running: sleep 600");
    expect((await haft(["sessions", "close", "default"])).exitCode).toBe(0);
    expect(await list()).toEqual([]);
  });
});
