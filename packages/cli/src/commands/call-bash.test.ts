import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

// What is looked at here must not depend on whether this machine has a sandbox.
const bash = (command: string, ...more: string[]): string[] => [
  ...["call", "bash", `command=${command}`, "--sandbox=off"],
  ...more,
];

describe("haft call bash", () => {
  it("prints what the command printed, and how it ended beside it", async () => {
    const { haft } = createTestWorkspace();
    const { stdout, stderr, exitCode } = await haft(bash("echo hello; false", "--yes"));
    expect({ stdout, exitCode }).toEqual({ stdout: "hello\n", exitCode: 0 });
    expect(stderr).toContain("haft: exit code 1\n");
  });

  it("prints nothing for a command that printed nothing", async () => {
    const { haft } = createTestWorkspace();
    expect((await haft(bash("true", "--yes"))).stdout).toBe("");
  });

  it("tells what confined it", async () => {
    const { haft } = createTestWorkspace();
    const result = (await haft(bash("true", "--yes", "--json"))).json<ToolResult>();
    expect(result).toMatchObject({ type: "output", data: { output: "", exit_code: 0 } });
    expect(result.metadata.isolation).toBe("none");
  });

  it("shows the command and that nothing confines it before it runs", async () => {
    const { haft, directory } = createTestWorkspace();
    const { stderr } = await haft(bash("echo x > made; echo $((1+1))"), { typed: ["n"] });
    expect(stderr).toContain("  command: echo x > made; echo $((1+1))\n");
    expect(stderr).toContain("WITHOUT A SANDBOX");
    expect(existsSync(join(directory, "made"))).toBe(false);
  });

  it("remembers an always of a command, for exactly its words", async () => {
    const { haft, directory } = createTestWorkspace();
    expect((await haft(bash("mkdir made"), { typed: ["p"] })).exitCode).toBe(0);
    expect(readFileSync(join(directory, ".haft", "rules"), "utf8")).toBe("bash mkdir made allow\n");
    expect((await haft(bash("mkdir other"))).exitCode).toBe(errorCodes.headless.exitCode);
  });

  it("gives a command the variables that are passed, and masks values of secrets", async () => {
    const { haft } = createTestWorkspace();
    const environment = {
      ...{ GH_PAT: "a-value-nobody-may-see", STRIPE_SK: "another-hidden-value" },
      ...{ APP_MODE: "verbose", WITHHELD: "not-passed" },
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const command = bash(
      "echo $GH_PAT | wc -c; echo $GH_PAT.$STRIPE_SK.$APP_MODE.$WITHHELD",
      "--yes",
    );
    expect((await haft(command, { environment })).stdout).toBe("1\n...\n");
    const passed = ["--pass-env", "GH_PAT,APP_MODE", "--pass-env", "STRIPE_SK"];
    const { stdout } = await haft([...command, ...passed], { environment });
    expect(stdout).toMatch(
      /^23\n\[secret:GH_PAT[^\]]*\]\.\[secret:STRIPE_SK[^\]]*\]\.verbose\.\n$/u,
    );
  });

  it("names --pass-env where a command fails without a variable", async () => {
    const { haft } = createTestWorkspace();
    vi.stubEnv("GH_PAT", "a-value-nobody-may-see");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stderr } = await haft(bash('test -n "$GH_PAT"', "--yes"));
    expect(stderr).toContain("--pass-env GH_PAT");
  });

  it("masks a secret of Haft's environment that a file holds", async () => {
    const { haft } = createTestWorkspace({ "log.txt": "used my-own-secret-1 here\n" });
    vi.stubEnv("DEPLOY_TOKEN", "my-own-secret-1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await haft(["call", "read", "path=log.txt"]);
    expect(stdout).toMatch(/used \[secret:DEPLOY_TOKEN[^\]]*\] here/u);
  });
});

describe("haft call --watchdog", () => {
  const guard = `#!/bin/sh
case "$(cat)" in
  *forbidden*) echo "Not that one."; exit 2 ;;
  *doubtful*) echo "Really?"; exit 1 ;;
esac
`;
  const allow = ["--rule", "write ** allow"];
  const write = (path: string): string[] => ["call", "write", `path=${path}`, "content=x"];

  it("has the program look at every call, which can only make it stricter", async () => {
    const { haft, directory } = createTestWorkspace({ "guard.sh": guard });
    chmodSync(join(directory, "guard.sh"), 0o755);
    const watched = (path: string): string[] => [
      ...[...write(path), ...allow],
      ...["--watchdog", "guard.sh", "--json"],
    ];
    expect((await haft(watched("fine"))).exitCode).toBe(0);
    expect((await haft(watched("forbidden"))).json()).toMatchObject({
      error_text: expect.stringContaining("Not that one."),
      metadata: { error_code: "blocked-by-watchdog" },
    });
    expect((await haft(watched("doubtful"))).json()).toMatchObject({
      error_text: expect.stringContaining("Really?"),
      metadata: { error_code: "headless" },
    });
    const environment = { HAFT_WATCHDOG: join(directory, "guard.sh") };
    const check = ["permissions", "check", ...write("doubtful").slice(1), ...allow, "--json"];
    expect((await haft(check, { environment })).json()).toMatchObject({
      action: "ask",
      stage: "watchdog",
    });
  });
});
