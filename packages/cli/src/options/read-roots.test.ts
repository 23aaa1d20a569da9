import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCodes } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

function open(): TestWorkspace & { readonly beside: string } {
  const workspace = createTestWorkspace({ "own.txt": "own\n" });
  const beside = dirname(workspace.directory);
  for (const name of ["lib", "out", "other"]) {
    mkdirSync(join(beside, name));
    writeFileSync(join(beside, name, "a.txt"), `${name}\n`);
  }
  writeFileSync(join(beside, "lib", ".env"), "KEY=hidden\n");
  return { ...workspace, beside };
}

const refused = errorCodes["out-of-scope"].exitCode;

describe("--root", () => {
  it("lets tools read a directory, and change it with :rw (001:86)", async () => {
    const { haft, beside } = open();
    const roots = ["--root", "../lib", "--root", "~/out:rw", "--yes"];
    const environment = { HOME: beside };
    const call = (...args: string[]) => haft(["call", ...args, ...roots], { environment });
    expect((await call("read", "path=../lib/a.txt")).stdout).toBe("1: lib\n");
    expect((await call("read", "path=../out/a.txt")).stdout).toBe("1: out\n");
    expect((await call("read", "path=../other/a.txt")).exitCode).toBe(refused);
    expect((await call("read", "path=../lib/.env")).exitCode).toBe(
      errorCodes["secret-file"].exitCode,
    );
    const denied = await call("write", "path=../lib/b.txt", "content=x");
    expect(denied.exitCode).toBe(refused);
    expect(denied.stderr).toContain(`${join(beside, "lib")} is read-only in this session.`);
    expect((await call("write", "path=../out/b.txt", "content=x")).exitCode).toBe(0);
    expect(readFileSync(join(beside, "out", "b.txt"), "utf8")).toBe("x\n");
    expect(existsSync(join(beside, "lib", "b.txt"))).toBe(false);
  });

  it("leaves no command unasked that writes where it is read-only, not even without a sandbox", async () => {
    const { haft, beside } = open();
    const words = ["--root=../lib", "--sandbox=off", "--rule=bash rm allow", "--headless"];
    const run = (command: string) => haft(["call", "bash", `command=${command}`, ...words]);
    expect((await run("echo x > ../lib/b.txt")).exitCode).toBe(refused);
    expect((await run("rm ../lib/a.txt")).exitCode).toBe(errorCodes.headless.exitCode);
    expect(existsSync(join(beside, "lib", "a.txt"))).toBe(true);
  });

  it.skipIf(isMissing("bwrap"))("gives commands the same directories and rights", async () => {
    const { haft, beside } = open();
    const command =
      "cat ../lib/a.txt; cat ../lib/.env; cat ../other/a.txt; touch ../lib/b ../out/b b; :";
    const { stdout } = await haft([
      ...["call", "bash", `command=${command}`, "--root=../lib", "--root=../out:rw"],
      ...["--yes", "--sandbox=required"],
    ]);
    expect(stdout).toContain("lib\n");
    expect(stdout).not.toContain("hidden");
    expect(stdout).not.toContain("other\n");
    const made = ["lib", "out", "workspace"].map((name) => existsSync(join(beside, name, "b")));
    expect(made).toEqual([false, true, true]);
  });

  it.each([
    ["../none", "none does not exist. Create it, or name another directory."],
    ["own.txt:rw", "own.txt is not a directory. Name the directory that contains it."],
    ["..", "overlaps with Haft's own files in "],
    ["../state", "overlaps with Haft's own files in "],
    [":rw", "name a directory, such as ../lib."],
  ])("refuses %s", async (root, reason) => {
    const { haft, state } = open();
    mkdirSync(state, { recursive: true });
    for (const command of [
      ["call", "read", "path=own.txt"],
      ["agent", "Hello"],
      ["acp"],
      ["mcp"],
    ]) {
      const { exitCode, stderr } = await haft([...command, "--root", root]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--root ${root}: `)]);
      expect(stderr).toContain(reason);
    }
  });
});
