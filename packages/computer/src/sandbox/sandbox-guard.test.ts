import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createBroker } from "../broker/broker.ts";
import {
  openTestSandbox,
  type TestRun,
  type TestRunOptions,
  type TestSandbox,
} from "../test-support/open-test-sandbox.ts";
import { brokerStartFor } from "./open-sandbox.ts";
import { noteOwnFile } from "./own-files.ts";

let tested: TestSandbox;

beforeAll(async () => {
  if (!isMissing("bwrap")) tested = await openTestSandbox();
});
afterAll(() => tested?.close());

const run = (workspace: string, command: string, options?: TestRunOptions): Promise<TestRun> =>
  tested.run(workspace, command, options);

describe.skipIf(isMissing("bwrap"))("protected places in a sandbox", () => {
  const makeRepository = (files: Readonly<Record<string, string>> = {}): string => {
    const workspace = tested.makeWorkspace(files);
    execFileSync("git", ["init", "-q", workspace]);
    return workspace;
  };

  it.each([
    "echo '[alias] x = !id' >>.git/config",
    "git config alias.x '!id'",
    "rm -f .git/config; echo x >.git/config",
    "mv .git/config .git/old",
    "echo id >.git/hooks/pre-commit",
    "mv .git/hooks .git/old",
    "rm -rf .git/hooks; mkdir .git/hooks; echo id >.git/hooks/pre-commit",
    "mv .git moved",
    "mv .git moved; mkdir .git; echo x >.git/config",
    "rm -rf .git",
    "echo x >>.haft/rules",
    "echo x >new; mv -f new .haft/rules",
    "rm -f .haft/rules; echo x >.haft/rules",
    "mv .haft moved; mkdir .haft; echo x >.haft/rules",
    "mv .haft moved; ln -s moved .haft",
    "cp /bin/true .haft/settings.json; sed -i s/a/b/ .haft/settings.json",
    "mount --bind /tmp .haft",
    "chmod 777 .haft/rules; echo x >>.haft/rules",
    "ln .haft/rules linked; echo x >>linked",
    "echo x >>.mcp.json; rm -f .mcp.json; mv .mcp.json x",
  ])("are not changed by: %s", async (command) => {
    const workspace = makeRepository({
      ".haft/rules": "read * allow\n",
      ".haft/settings.json": "{}",
      ".haft/notes": "",
      ".mcp.json": "{}",
    });
    const files = [".git/config", ".haft/rules", ".haft/settings.json", ".mcp.json"];
    const look = (): unknown => [
      files.map((file) => [statSync(join(workspace, file)).ino, readAt(workspace, file)]),
      readdirSync(join(workspace, ".git/hooks")),
    ];
    const before = look();
    await run(workspace, `{ ${command}; } 2>&1`);
    expect(look()).toEqual(before);
  });

  it("may have neighbours", async () => {
    const workspace = makeRepository({ ".haft/rules": "", file: "x" });
    const { exitCode, output, notes } = await run(
      workspace,
      `set -e; echo x >.haft/notes; mkdir .haft/skills; git add .; git commit -qm first
      git checkout -q -b other; git log --oneline | wc -l; git status --short`,
      { environment: author },
    );
    expect({ exitCode, output, notes }).toEqual({ exitCode: 0, output: "1\n", notes: [] });
  });

  it("that a command makes are removed, kept, and reported", async () => {
    const workspace = makeRepository({ "sub/.keep": "" });
    const { notes } = await run(
      workspace,
      `mkdir .haft; echo 'bash * allow' >.haft/rules; echo {} >.haft/settings.local.json
      echo {} >.mcp.json; echo {} >sub/.mcp.json; mkdir -p .claude; echo {} >.claude/settings.json`,
    );
    const left = execFileSync("find", [workspace, "-not", "-path", "*/.git/*"], {
      encoding: "utf8",
    });
    expect(left).not.toMatch(/rules|settings|mcp/u);
    expect(notes).toHaveLength(5);
    const [, kept = ""] =
      /rules was removed: .* It was moved to (.*)\.$/mu.exec(notes.join("\n")) ?? [];
    expect(readFileSync(kept, "utf8")).toBe("bash * allow\n");
    expect(kept.startsWith(tested.place.stateDirectory)).toBe(true);
  });

  it("are left if it was this process that made them", async () => {
    const workspace = tested.makeWorkspace({ ".haft/": "" });
    const prepared = await tested.sandbox.prepare({
      run: { command: "true" },
      cwd: workspace,
      environment: {},
      readable: [],
      writable: [workspace],
    });
    const rules = join(workspace, ".haft/rules");
    writeFileSync(rules, "read * allow\n");
    noteOwnFile(rules);
    expect(await prepared.settle()).toEqual([]);
    expect(existsSync(rules)).toBe(true);
    writeFileSync(rules, "bash * allow\n");
    expect(await prepared.settle()).toHaveLength(1);
    expect(existsSync(rules)).toBe(false);
  });

  it("let repositories be made, but no hooks and nothing that runs programs", async () => {
    const workspace = tested.makeWorkspace();
    const { notes } = await run(
      workspace,
      `git init -q . && git config core.hooksPath /tmp/evil && git config alias.x '!id' && git config user.name Somebody
      printf '#!/bin/sh\\nid' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
      git init -q --bare bare.git; git -C bare.git config core.fsmonitor /tmp/evil
      mkdir pointed; echo 'gitdir: /etc' >pointed/.git; ln -s /etc/linked .haft`,
    );
    const config = readAt(workspace, ".git/config");
    expect(config).toMatch(/name = Somebody/u);
    expect(config).toMatch(/repositoryformatversion = 0/u);
    expect(config).not.toMatch(/hookspath|!id|evil/iu);
    expect(readAt(workspace, "bare.git/config")).not.toMatch(/fsmonitor/u);
    expect(existsSync(join(workspace, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(workspace, ".git/hooks/pre-commit.sample"))).toBe(true);
    expect(existsSync(join(workspace, "pointed/.git"))).toBe(false);
    expect(existsSync(join(workspace, ".haft"))).toBe(false);
    expect(notes).toHaveLength(5);
    execFileSync("git", ["-C", workspace, "status"]);
    execFileSync("git", ["-C", join(workspace, "bare.git"), "log", "--all"]);
  });

  it("are found in repositories without a directory for work that were there before", async () => {
    const workspace = tested.makeWorkspace();
    execFileSync("git", ["init", "-q", "--bare", join(workspace, "bare.git")]);
    // So that the directory is settled, and only looked at again.
    execFileSync("touch", ["-d", "2001-01-01", join(workspace, "bare.git"), workspace]);
    await wait(100);
    expect((await run(workspace, "git -C bare.git log --all")).notes).toEqual([]);
    const { notes } = await run(
      workspace,
      "printf '[core]\\nfsmonitor = /tmp/evil\\n' >>bare.git/config; echo id >bare.git/hooks/update",
    );
    expect(notes).toHaveLength(2);
    expect(readAt(workspace, "bare.git/config")).not.toContain("fsmonitor");
    expect(existsSync(join(workspace, "bare.git/hooks/update"))).toBe(false);
  });

  it("follow a directory that is moved, and are no news then", async () => {
    const workspace = tested.makeWorkspace({ "sub/.mcp.json": "{}" });
    execFileSync("git", ["init", "-q", join(workspace, "sub")]);
    const { notes, exitCode } = await run(workspace, "mv sub moved && echo x >moved/file");
    expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: [] });
    expect(readdirSync(join(workspace, "moved")).sort()).toEqual([".git", ".mcp.json", "file"]);
  });

  it("in a home are the files that shells start with", async () => {
    writeFileSync(join(tested.home, ".bashrc"), "old\n");
    mkdirSync(join(tested.home, ".config/fish"), { recursive: true });
    writeFileSync(join(tested.home, ".config/fish/config.fish"), "old\n");
    const inHome = await openTestSandbox({ home: tested.home, roots: [tested.home] });
    try {
      const { notes } = await inHome.run(
        tested.home,
        `cd ~; echo new >>.bashrc; echo new >.zshrc; mkdir .ssh; echo key >.ssh/authorized_keys
        mv .config moved; mkdir -p .config/fish; echo new >.config/fish/config.fish; mkdir -p project; echo x >project/.zshrc`,
      );
      expect(notes).toHaveLength(2);
      expect(readdirSync(tested.home).sort()).toEqual([".bashrc", ".config", "project"]);
      expect(readAt(tested.home, ".bashrc")).toBe("old\n");
      expect(readAt(tested.home, ".config/fish/config.fish")).toBe("old\n");
      expect(readAt(tested.home, "project/.zshrc")).toBe("x\n");
    } finally {
      inHome.close();
    }
  });
});

describe.skipIf(isMissing("bwrap"))("a workspace", () => {
  const files = { ".env": "S=1", ".git/config": "", ".haft/rules": "", "a/key.pem": "", b: "" };

  it("holds nothing new while a command runs, nor afterwards", async () => {
    const workspace = tested.makeWorkspace(files);
    const before = list(workspace);
    const { output } = await run(workspace, "find . | sort");
    expect(output.trim().split("\n")).toEqual(before);
    expect(list(workspace)).toEqual(before);
  });

  it("holds nothing new after everything was killed", async () => {
    const workspace = tested.makeWorkspace(files);
    const before = list(workspace);
    const prepared = await tested.sandbox.prepare({
      run: { command: "touch started; sleep 1000" },
      cwd: workspace,
      environment: {},
      readable: [],
      writable: [workspace],
    });
    const broker = createBroker(brokerStartFor(tested.place));
    const launched = await broker.launch(prepared.plan, { output: () => undefined });
    const ended = launched.ended.catch(() => undefined);
    while (!existsSync(join(workspace, "started"))) await wait(5);
    expect(list(workspace)).toEqual([...before, "./started"].sort());
    broker.kill();
    await ended;
    expect(list(workspace)).toEqual([...before, "./started"].sort());
  });

  it("is not left with what was made to be covered", async () => {
    const workspace = tested.makeWorkspace({ ".env": "S=1" });
    const prepared = await tested.sandbox.prepare({
      run: { command: "ls -A" },
      cwd: workspace,
      environment: {},
      readable: [],
      writable: [workspace],
    });
    // Gone between the look and the launch.
    execFileSync("rm", [join(workspace, ".env")]);
    await tested.launch(prepared.plan);
    await prepared.settle();
    expect(readdirSync(workspace)).toEqual([]);
  });
});

const author = {
  PATH: process.env.PATH ?? "",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

function readAt(directory: string, file: string): string {
  return readFileSync(join(directory, file), "utf8");
}

function list(directory: string): readonly string[] {
  return execFileSync("find", ["."], { cwd: directory, encoding: "utf8" })
    .trim()
    .split("\n")
    .sort();
}
