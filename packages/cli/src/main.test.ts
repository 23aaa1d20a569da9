import { describe, expect, it } from "vitest";
import { commands } from "./commands/index.ts";
import { createTestWorkspace } from "./test-support/run-haft.ts";

describe("haft", () => {
  it("shows every command when called without one", async () => {
    const { stdout, exitCode } = await createTestWorkspace().haft([]);
    for (const name of Object.keys(commands)) expect(stdout).toContain(`  ${name}`);
    expect(exitCode).toBe(0);
  });

  it.each(Object.keys(commands))("explains %s with its usage", async (name) => {
    const { haft } = createTestWorkspace();
    const asked = await haft([name, "--help"]);
    expect(asked.exitCode).toBe(0);
    expect(asked.stdout).toContain(`Usage: haft ${name}`);
    expect((await haft(["help", name])).stdout).toBe(asked.stdout);
  });

  it("prints its version", async () => {
    const { stdout } = await createTestWorkspace().haft(["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it("names the commands there are when given another", async () => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["cal"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no command "cal"');
    expect(stderr).toContain("batch");
  });

  it.each([
    [["call", "read", "--nope"], "--nope"],
    [["call", "read", "--dialect", "klingon"], "portable"],
    [["call", "read", "--rule", "nonsense"], "PERMISSION PATTERN ACTION"],
    [["call", "read", "-C", "/does/not/exist"], "/does/not/exist"],
    [["call", "read", "--session", "../up"], "../up"],
    [["call", "read", "--sandbox=maybe"], "Modes: required, auto, off"],
    [["call", "read", "--allow-host", "http://a.example"], "http://a.example"],
    [["call", "read", "--pass-env", "HAFT_NO_SUCH"], "HAFT_NO_SUCH"],
    [["call", "read", "--pass-env", "HAFT_NO_SUCH=secret"], "takes the name"],
    [["call", "read", "--watchdog", "none"], "there is no file"],
    [["call", "read", "--watchdog", "/etc/passwd"], "chmod +x"],
    [["call"], "haft tools"],
  ])("refuses %j and says why, without a stack trace", async (args, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/^\s+at /mu);
    expect(stdout).toBe("");
  });
});
