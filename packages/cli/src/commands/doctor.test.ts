import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "@haft/contract";
import { describe, expect, it } from "vitest";
import type { Finding } from "../doctor/checks.ts";
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
      "typescript",
      "sandbox",
      "layers",
      "commands",
      "git",
      "python",
      "environment",
      "web search",
      "traces",
      "jobs",
    ]);
    for (const { found, remedy } of findings) expect(remedy === undefined).toBe(found);
    expect(exitCode).toBe(0);
    expect((await haft(["doctor"])).stdout).toMatch(/^ok +node +v\d/mu);
  });

  it("lists the variables that commands do not get, and says where traces are sent", async () => {
    const { haft } = createTestWorkspace();
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://name:word@127.0.0.1:4318/" };
    const environment = { GH_PAT: "x", LANG: "C", PASSED: "y", ...collector };
    const { json } = await haft(["doctor", "--json", "--pass-env", "PASSED"], { environment });
    const detailOf = (about: string): string | undefined =>
      json<Finding[]>().find(({ name }) => name === about)?.detail;
    expect(detailOf("environment")).toBe(
      "commands do not get, unless passed with --pass-env: GH_PAT, HAFT_HOME, OTEL_EXPORTER_OTLP_ENDPOINT",
    );
    expect(detailOf("traces")).toBe("sent to http://127.0.0.1:4318/v1/traces");
  });

  it("says why commands can't run on a layer, and what would help", async () => {
    const { haft, directory } = createTestWorkspace();
    const environment = { HAFT_HOME: join(directory, ".state") };
    const { json } = await haft(["doctor", "--json"], { environment });
    expect(json<Finding[]>().find(({ name }) => name === "layers")).toMatchObject({
      found: false,
      detail: expect.any(String),
      remedy: expect.any(String),
    });
  });

  it("fails where state can't be kept, and says what to do", async () => {
    const { haft, state } = createTestWorkspace();
    writeFileSync(state, "a file where a directory belongs");
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4317" };
    const { stdout, exitCode } = await haft(["doctor"], { environment });
    expect(exitCode).toBe(errorCodes.unavailable.exitCode);
    expect(stdout).toMatch(/MISSING {2}state/u);
    expect(stdout).toContain("HAFT_HOME");
    expect(stdout).toContain("use its port for OTLP over HTTP");
  });
});
