import { describe, expect, it } from "vitest";
import { commands } from "./declarations/index.ts";
import { commonOptions } from "./declarations/option-groups.ts";
import { dialects } from "./options/common-options.ts";
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

  it("explains a subcommand with its own options only", async () => {
    const { haft } = createTestWorkspace();
    const asked = await haft(["tool", "publish", "--help"]);
    expect(asked.stdout).toContain("Usage: haft tool publish [NAME] --bump KIND [OPTIONS]");
    expect(asked.stdout).toContain("One of: major, minor, patch.");
    expect(asked.stdout).toContain("haft tool publish --push --create --bump minor");
    expect(asked.stdout).not.toContain("--sort");
    expect((await haft(["help", "tool", "publish"])).stdout).toBe(asked.stdout);
  });

  it("declares the dialects that exist", () => {
    const { choices } = commonOptions.options.dialect ?? {};
    expect(choices).toEqual(dialects.map(({ name }) => name));
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
    [["call", "read", "--sandbox=maybe"], "--sandbox is one of required, auto, off"],
    [["call", "read", "--allow-host", "http://a.example"], "http://a.example"],
    [["call", "read", "--pass-env", "HAFT_NO_SUCH"], "HAFT_NO_SUCH"],
    [["call", "read", "--pass-env", "HAFT_NO_SUCH=secret"], "takes the name"],
    [["call", "read", "--pass-env", "HAFT_*"], '"HAFT_*" is not the name of a variable'],
    [["call", "read", "--pass-env", "HAFT_HOME,,X"], '"" is not the name of a variable'],
    [["call", "read", "--watchdog", "none"], "there is no file"],
    [["call", "read", "--watchdog", "/etc/passwd"], "chmod +x"],
    [["call"], "haft tools"],
    [["tool", "list", "--bump", "major"], "--bump belongs to `haft tool publish`"],
    [["tool", "--bump", "major", "list"], "--bump belongs to `haft tool publish`"],
    [["tool", "list", "--jsn"], "Did you mean --json?"],
    [["call", "--bump", "major", "read"], "--bump belongs to `haft tool publish`"],
    [["tool", "list", "--json=1"], "--json takes no value"],
    [["tool", "list", "--sort"], "--sort needs a value: --sort FIELD"],
    [["tool", "list", "--id", "--json"], "write --id=--json"],
    [["tool", "list", "--sort", "size"], "--sort is one of +name"],
    [["tool", "list", "extra"], "takes no arguments"],
    [["tool", "show"], "needs the argument NAME"],
    [["tool", "publish"], "--bump KIND is required"],
    [["tool"], "needs a subcommand: init, list"],
    [["tool", "lst"], "has no subcommand"],
  ])("refuses %j and says why, without a stack trace", async (args, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/^\s+at /mu);
    expect(stdout).toBe("");
  });
});
