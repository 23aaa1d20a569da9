import { execFileSync } from "node:child_process";
import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { fileRulesOf } from "../test-support/file-rules.ts";
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

const run = (workspace: string, command: string, ...rules: readonly string[]): Promise<TestRun> =>
  tested.run(workspace, `{ ${command}\n} 2>&1`, { fileRules: fileRulesOf(workspace, ...rules) });

describe.skipIf(isMissing("bwrap"))("what rules deny for reading", () => {
  it("is not shown, whatever a command tries", async () => {
    const commands = [
      "cat private/x",
      "cat $(echo priv)ate/x",
      "cat link linked/x",
      "ln -s private/deep made; cat made/y",
      "ln private/x hard; cat hard",
      "python3 -c \"print(open('private/x').read())\"",
      "tar c .",
      "cp -r . /tmp/copy; cat /tmp/copy/private/x; mkdir c; cp -r private c; cat c/private/x",
      "find private -type f -exec cat {} +",
      "mv private moved; cat moved/x",
      "rm -rf private; mkdir private; cat private/x",
      "chmod -R 777 private; cat private/x",
      "cat /proc/self/root$PWD/private/x /proc/1/root$PWD/private/x /proc/self/cwd/private/x",
      "cd src; cat ../private/x ../src/../private/deep/y",
      "for fd in /proc/self/fd/* /proc/1/fd/*; do cat $fd/private/x; done",
      "umount private; mount --bind src private; unshare -Urm umount private; cat private/x",
      "git add private; git add -A; git diff --cached; git stash; cat private/x",
      "grep -r CLOSED .",
    ];
    const workspace = tested.makeWorkspace({
      "private/x": "CLOSED\n",
      "private/deep/y": "CLOSED\n",
      "src/a": "open",
    });
    execFileSync("git", ["init", "-q", workspace]);
    symlinkSync("private/x", join(workspace, "link"));
    symlinkSync("private", join(workspace, "linked"));
    const script = commands.map((command) => `(${command})`).join("\n");
    const { output } = await run(workspace, `${script}\ncat src/a`, "fs.read private/** deny");
    expect(output).not.toContain("CLOSED");
    expect(output).toMatch(/open$/u);
    expect(readFileSync(join(workspace, "private/deep/y"), "utf8")).toBe("CLOSED\n");
    expect(readdirSync(join(workspace, "private"))).toEqual(["deep", "x"]);
  });

  it("is hidden file by file where a pattern or an exception says so", async () => {
    const workspace = tested.makeWorkspace({
      "a/one.csv": "1",
      "b/c/two.csv": "2",
      "b/c/two.txt": "3",
      "private/x": "4",
      "private/open/y": "5",
    });
    const { output } = await run(
      workspace,
      "cat a/* b/c/* private/x private/open/y | sort",
      "read **/*.csv deny",
      "fs.read private/** deny",
      "fs.read private/open/** allow",
    );
    expect(output.split("\n").filter((line) => /^\d+$/u.test(line))).toEqual(["35"]);
  });

  it("takes the target of a link with a denied name along", async () => {
    const workspace = tested.makeWorkspace({ "kept/x": "CLOSED", "src/a": "open" });
    symlinkSync("kept", join(workspace, "private"));
    const { output } = await run(workspace, "cat kept/x src/a", "fs.read private/** deny");
    expect(output).toContain("open");
    expect(output).not.toContain("CLOSED");
  });

  it("stays hidden if a directory in it is granted by itself", async () => {
    const workspace = tested.makeWorkspace({ "private/data/x": "CLOSED" });
    const fileRules = fileRulesOf(workspace, "fs.read private/** deny");
    const options = { readable: [join(workspace, "private/data")], fileRules };
    const { output } = await tested.run(workspace, "cat private/data/x 2>&1", options);
    expect(output).not.toContain("CLOSED");
  });

  it("can't be moved to a path that no rule closes", async () => {
    const workspace = tested.makeWorkspace({ "a/b/private/x": "CLOSED", "a/b/y": "" });
    const command = "mv a/b a/c; mv a c; cat a/c/private/x c/b/private/x; mv a/b/y a/b/z; ls a/b";
    const { output } = await run(workspace, command, "fs.read a/b/private/** deny");
    expect(output).not.toContain("CLOSED");
    expect(output).toMatch(/private\nz\n$/u);
    expect(existsSync(join(workspace, "a/b/private/x"))).toBe(true);
  });

  it("is read through a second hard link that lies elsewhere", async () => {
    const workspace = tested.makeWorkspace({ "private/x": "known by another name" });
    linkSync(join(workspace, "private/x"), join(workspace, "same"));
    const { output } = await run(workspace, "cat same", "fs.read private/** deny");
    expect(output).toBe("known by another name");
  });

  it("does not keep settings that a command makes there", async () => {
    const workspace = tested.makeWorkspace();
    const command = "mkdir .haft; echo 'bash * allow' >.haft/rules";
    const { notes } = await run(workspace, command, "fs.read .haft/** deny");
    expect(notes.join()).toMatch(/rules was removed/u);
    expect(existsSync(join(workspace, ".haft/rules"))).toBe(false);
  });

  it("refuses to start where nothing may be read", async () => {
    const workspace = tested.makeWorkspace({ "private/x": "" });
    const denied = { code: "denied", message: expect.stringContaining(workspace) };
    const fileRules = fileRulesOf(workspace, "fs.read private/** deny");
    const cwd = join(workspace, "private");
    await expect(tested.run(workspace, "ls", { cwd, fileRules })).rejects.toMatchObject(denied);
    await expect(run(workspace, "ls", "fs.read ** deny")).rejects.toMatchObject(denied);
  });
});

describe.skipIf(isMissing("bwrap"))("what rules deny for writing", () => {
  it("is not changed, whatever a command tries", async () => {
    const commands = [
      "echo x >docs/a",
      "echo x >docs/new",
      "rm -rf docs",
      "mv docs moved",
      "mv deep/kept.lock deep/other",
      "echo x >new; mv -f new deep/kept.lock",
      "sed -i s/a/b/ deep/kept.lock docs/a",
      "cd docs; rm a",
    ];
    const workspace = tested.makeWorkspace({ "docs/a": "a", "deep/kept.lock": "a", "src/a": "" });
    await run(
      workspace,
      `${commands.map((command) => `(${command})`).join("\n")}\necho b >src/a`,
      "fs.write docs/** deny",
      "write **/*.lock deny",
    );
    const read = (path: string): string => readFileSync(join(workspace, path), "utf8");
    expect(["docs/a", "deep/kept.lock", "src/a"].map(read)).toEqual(["a", "a", "b\n"]);
    expect(readdirSync(join(workspace, "docs"))).toEqual(["a"]);
  });

  it("leaves secrets hidden and settings protected", async () => {
    const workspace = tested.makeWorkspace({
      ".env": "SECRET",
      ".mcp.json": "{}",
      "docs/.env": "SECRET",
    });
    const command = "cat .env docs/.env; echo x >>.mcp.json; echo x >new";
    const { output } = await run(workspace, command, "fs.write ** deny");
    expect(output).not.toContain("SECRET");
    expect(readdirSync(workspace)).not.toContain("new");
    expect(readFileSync(join(workspace, ".mcp.json"), "utf8")).toBe("{}");
  });
});
