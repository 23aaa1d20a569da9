import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  openTestSandbox,
  type TestRun,
  type TestSandbox,
} from "../test-support/open-test-sandbox.ts";

let tested: TestSandbox;

beforeAll(async () => {
  if (!isMissing("bwrap")) tested = await openTestSandbox();
});
afterAll(() => tested?.close());

const secret = "SECRET=value-of-the-secret";
const modes = ["000", "100", "111", "200", "300", "333", "400", "444", "600", "666"];
const run = (workspace: string, command: string): Promise<TestRun> =>
  tested.run(workspace, command);
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(isMissing("bwrap"))("a directory that a command made unlistable", () => {
  it.each(modes)("with mode %s shows no secret to the next command", async (mode) => {
    const workspace = tested.makeWorkspace({ "a/b/.env": secret, "a/b/plain": "plain" });
    await run(workspace, `chmod ${mode} a/b; chmod ${mode} a`);
    expect((statSync(join(workspace, "a")).mode & 0o500).toString(8)).toBe("500");
    const { output } = await run(
      workspace,
      "chmod 755 a a/b; cat a/b/plain a/b/.env 2>&1; mv a c; cat c/b/.env 2>&1",
    );
    expect(output).toMatch(/^plain/u);
    expect(output).not.toContain("value-of");
  });

  it.each(modes)("with mode %s keeps no rules, hooks or settings", async (mode) => {
    const workspace = tested.makeWorkspace();
    const { notes } = await run(
      workspace,
      `mkdir -p d/e/.haft d/e/.vscode; echo 'bash * allow' >d/e/.haft/rules; echo {} >d/e/.vscode/tasks.json
      git init -q d/e/r; git -C d/e/r config core.fsmonitor ./canary; printf '#!/bin/sh\\n' >d/e/r/.git/hooks/pre-commit
      chmod ${mode} d/e/.haft d/e/r/.git/hooks d/e/r/.git d/e/r d/e d`,
    );
    expect(notes).toHaveLength(4);
    expect(existsSync(join(workspace, "d/e/.haft/rules"))).toBe(false);
    expect(existsSync(join(workspace, "d/e/.vscode/tasks.json"))).toBe(false);
    expect(readFileSync(join(workspace, "d/e/r/.git/config"), "utf8")).not.toContain("canary");
    expect(existsSync(join(workspace, "d/e/r/.git/hooks/pre-commit"))).toBe(false);
  });

  it.each(["000", "111", "444"])(
    "with mode %s guards a repository's configuration",
    async (mode) => {
      const workspace = tested.makeWorkspace();
      execFileSync("git", ["init", "-q", join(workspace, "sub/repo")]);
      const config = join(workspace, "sub/repo/.git/config");
      const before = readFileSync(config, "utf8");
      await run(workspace, `chmod ${mode} sub/repo/.git sub/repo sub`);
      await run(
        workspace,
        "chmod -R u+rwx sub; echo '[alias] x = !id' >>sub/repo/.git/config; echo id >sub/repo/.git/hooks/x",
      );
      expect(readFileSync(config, "utf8")).toBe(before);
      expect(existsSync(join(workspace, "sub/repo/.git/hooks/x"))).toBe(false);
    },
  );

  it("is the workspace itself, and can be used again", async () => {
    const workspace = tested.makeWorkspace({ ".env": secret });
    await run(workspace, "mkdir .haft; echo 'bash * allow' >.haft/rules; chmod 111 .");
    expect(readdirSync(join(workspace, ".haft"))).toEqual([]);
    const { output } = await run(workspace, "ls -A; cat .env 2>&1");
    expect(output).toMatch(/^\.env\n\.haft\n.*Permission denied\n$/su);
  });

  it("has what can't be moved out of it removed all the same", async () => {
    const workspace = tested.makeWorkspace();
    const { notes } = await run(
      workspace,
      `mkdir -p .haft sub/.husky; echo x >.haft/rules; echo x >sub/.husky/pre-commit
      chmod 000 .haft/rules; chmod 555 .haft sub/.husky sub`,
    );
    expect(notes).toHaveLength(2);
    expect(notes.join()).not.toContain("can't be removed");
    expect(existsSync(join(workspace, ".haft/rules"))).toBe(false);
    expect(existsSync(join(workspace, "sub/.husky"))).toBe(false);
  });

  it("does not follow a link put in its place", async () => {
    const workspace = tested.makeWorkspace({ "closed/x": "" });
    const outside = join(tested.base, "outside");
    mkdirSync(outside, { recursive: true });
    chmodSync(outside, 0o100);
    await run(workspace, `mv closed other; ln -s ${outside} closed; chmod 111 other`);
    expect(modeOf(outside)).toBe("100");
    chmodSync(outside, 0o700);
    expect(modeOf(join(workspace, "other"))).toBe("711");
  });

  it("may lie so deep that no path leads there", async () => {
    const workspace = tested.makeWorkspace({ "a/.env": secret });
    const name = "d".repeat(200);
    await run(
      workspace,
      `mkdir deep; cd deep; for i in $(seq 30); do mkdir ${name}; cd ${name}; done; mv ${workspace}/a .`,
    );
    const { output } = await run(
      workspace,
      `cd deep; for i in $(seq 30); do cd ${name} 2>/dev/null; done; cat a/.env 2>&1; echo end`,
    );
    expect(output).toMatch(/end\n$/u);
    expect(output).not.toContain("value-of");
    execFileSync("rm", ["-rf", join(workspace, "deep")]);
  });
});

describe.skipIf(isMissing("bwrap"))("a directory that was unlistable before", () => {
  it.each(modes)("with mode %s is hidden whole, and stays as it is", async (mode) => {
    const workspace = tested.makeWorkspace({ "a/b/.env": secret, "a/b/plain": "value-of-plain" });
    chmodSync(join(workspace, "a"), Number.parseInt(mode, 8));
    const { output } = await run(
      workspace,
      "chmod 755 a 2>&1; cat a/b/.env a/b/plain 2>&1; mv a c 2>&1; rm -rf a 2>&1; echo x >new; echo end",
    );
    expect(output).toMatch(/end\n$/u);
    expect(output).not.toContain("value-of");
    expect(modeOf(join(workspace, "a"))).toBe(`${Number(mode)}`);
    chmodSync(join(workspace, "a"), 0o755);
    expect(readFileSync(join(workspace, "a/b/.env"), "utf8")).toBe(secret);
    expect(existsSync(join(workspace, "new"))).toBe(true);
  });

  it("is hidden where commands can only read, too", async () => {
    const workspace = tested.makeWorkspace();
    const other = tested.makeWorkspace({ "a/.env": secret, plain: "plain" });
    chmodSync(join(other, "a"), 0o111);
    const { output } = await tested.run(workspace, `cat ${other}/plain ${other}/a/.env 2>&1`, {
      readable: [other],
    });
    expect(output).toMatch(/^plaincat: .*Permission denied\n$/u);
    chmodSync(join(other, "a"), 0o755);
  });

  it("may hold the workspace, which is shown", async () => {
    const workspace = tested.makeWorkspace({ "a/b/work/.env": secret, "a/b/secret": secret });
    const inner = join(workspace, "a/b/work");
    chmodSync(join(workspace, "a"), 0o711);
    chmodSync(join(workspace, "a/b"), 0o311);
    const { output, exitCode } = await tested.run(
      inner,
      `echo x >made; cat .env ${workspace}/a/b/secret 2>&1; ls ${workspace}/a/b 2>&1; cat made`,
      { readable: [workspace] },
    );
    chmodSync(join(workspace, "a/b"), 0o755);
    expect(output).not.toContain("value-of");
    expect(output).toMatch(/x\n$/u);
    expect(exitCode).toBe(0);
  });

  it("that is the workspace itself lets nothing run", async () => {
    const workspace = tested.makeWorkspace();
    chmodSync(workspace, 0o311);
    await expect(run(workspace, "true")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("chmod u+rwx"),
    });
    chmodSync(workspace, 0o755);
  });

  it("is not looked for behind a link", async () => {
    const workspace = tested.makeWorkspace({ "a/b": "x" });
    symlinkSync("/root", join(workspace, "link"));
    writeFileSync(join(workspace, "file"), "");
    expect((await run(workspace, "cat a/b")).output).toBe("x");
  });
});
