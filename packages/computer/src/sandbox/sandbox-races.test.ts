import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openTestSandbox } from "../test-support/open-test-sandbox.ts";

describe.skipIf(isMissing("bwrap"))("a sandbox made while a directory is swapped", () => {
  it("shows and changes nothing of what a link leads to", async () => {
    const base = mkdtempSync(join(tmpdir(), "haft-sandbox-"));
    const outside = join(base, "outside");
    mkdirSync(outside);
    // A directory that sandboxes may be made from, so that the process that makes them can reach it.
    const tested = await openTestSandbox({ base, roots: [join(base, "work"), outside] });
    onTestFinished(() => tested.close());
    execFileSync("git", ["init", "-q", outside]);
    writeFileSync(join(outside, ".git/config"), "[user]\nname = outside-content\n");
    const workspace = tested.makeWorkspace({ "door/.env": "", "door/.haft/rules": "" });
    execFileSync("git", ["init", "-q", join(workspace, "door")]);
    symlinkSync(outside, join(workspace, "two"));
    const look = (): string =>
      execFileSync("find", [outside, "-printf", "%p %y %m %T@ %i\n"], { encoding: "utf8" });
    const before = look();
    exchange(workspace);
    const command =
      "for d in door two; do cat $d/.git/config; echo x >$d/.git/marker; echo x >$d/made; done; echo ran";
    let ran = 0;
    for (let tries = 0; tries < 120 && ran < 20; tries++) {
      const { output } = await tested
        .run(workspace, command)
        .catch((error: unknown) => ({ output: String(error) }));
      expect(output).not.toContain("outside-content");
      expect(look()).toBe(before);
      if (output.endsWith("ran\n")) ran++;
    }
    expect(ran).toBeGreaterThan(0);
  });
});

/**
 * Exchanges `door` for `two` and back in one step each, until the test is over: not so fast that a
 * sandbox would hardly ever be made.
 */
function exchange(directory: string): void {
  const number = process.arch === "x64" ? 316 : 276;
  const script = `my ($a, $b) = ("door\\0", "two\\0"); while (1) { syscall(${number}, -100, $a, -100, $b, 2); select undef, undef, undef, rand 0.004 }`;
  const child = spawn("perl", ["-e", script], { cwd: directory, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
}
