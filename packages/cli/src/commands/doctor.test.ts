import { writeFileSync } from "node:fs";
import { errorCodes } from "@haft/contract";
import { describe, expect, it } from "vitest";
import type { Finding } from "../doctor/finding.ts";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("haft doctor", () => {
  it("looks at everything and gives a remedy for what is missing", async () => {
    const { haft } = createTestWorkspace();
    const { json, exitCode } = await haft(["doctor", "--json"]);
    const findings = json<Finding[]>();
    expect(findings.map(({ name }) => name)).toEqual([
      "node",
      "workspace",
      "state",
      "ripgrep",
      "sandbox",
      "commands",
      "git",
      "python",
      "web search",
      "jobs",
    ]);
    for (const { found, remedy } of findings) expect(remedy === undefined).toBe(found);
    expect(exitCode).toBe(0);
    expect((await haft(["doctor"])).stdout).toMatch(/^ok +node +v\d/mu);
  });

  it("fails where state can't be kept, and says what to do", async () => {
    const { haft, state } = createTestWorkspace();
    writeFileSync(state, "a file where a directory belongs");
    const { stdout, exitCode } = await haft(["doctor"]);
    expect(exitCode).toBe(errorCodes.unavailable.exitCode);
    expect(stdout).toMatch(/MISSING {2}state/u);
    expect(stdout).toContain("HAFT_HOME");
  });
});
