import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
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

  it("gives a command the variables that it was granted, and masks their values", async () => {
    const { haft } = createTestWorkspace();
    process.env.HAFT_TEST_TOKEN = "a-value-nobody-may-see";
    const environment = { HAFT_TEST_TOKEN: process.env.HAFT_TEST_TOKEN };
    const command = bash("echo $HAFT_TEST_TOKEN | wc -c; echo $HAFT_TEST_TOKEN", "--yes");
    try {
      expect((await haft(command, { environment })).stdout).toBe("1\n\n");
      const { stdout } = await haft([...command, "--pass-env", "HAFT_TEST_TOKEN"], { environment });
      expect(stdout).toMatch(/^23\n/u);
      expect(stdout).not.toContain("nobody-may-see");
    } finally {
      delete process.env.HAFT_TEST_TOKEN;
    }
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
      layer: "watchdog",
    });
  });
});
