import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { replyEvents, type WireHandler } from "../../test-support/wire/wire-platform.ts";

const answers: WireHandler = ({ method, path }, response) => {
  if (method !== "POST") return false;
  if (path.endsWith("/version")) {
    return replyEvents(response, [["result", { new_version: "1.0.0" }]]);
  }
  if (!path.endsWith("/test")) return false;
  return replyEvents(response, [["result", { invocation_results: [] }]]);
};

const hooks = [
  ...["pre-push", "post-index-change", "reference-transaction", "fsmonitor-watchman"],
  ...["pre-commit", "post-checkout", "pre-auto-gc", "push-to-checkout", "proc-receive"],
];

/** A configuration whose every setting runs a canary, by the name of the setting. */
function toHostileConfig(directory: string, url: string, proxy: string): string {
  const canaries = join(directory, "canaries");
  const programs = join(directory, "programs");
  mkdirSync(canaries, { recursive: true });
  mkdirSync(programs, { recursive: true });
  const run = (name: string): string => {
    const program = join(programs, name);
    writeFileSync(program, `#!/bin/sh\ntouch ${canaries}/${name}\ncat\n`);
    chmodSync(program, 0o755);
    return program;
  };
  for (const hook of hooks) run(hook);
  return `
[core]
  repositoryformatversion = 1
  fsmonitor = ${run("core.fsmonitor")}
  hooksPath = ${programs}
  sshCommand = ${run("core.sshCommand")}
  pager = ${run("core.pager")}
  editor = ${run("core.editor")}
  askPass = ${run("core.askPass")}
  gitProxy = ${run("core.gitProxy")}
  alternateRefsCommand = ${run("core.alternateRefsCommand")}
[extensions]
  partialClone = origin
[remote "origin"]
  promisor = true
  url = "ext::${run("remote.promisor")} %S"
  uploadpack = ${run("remote.uploadpack")}
[remote "${url}"]
  url = "ext::${run("remote.by-url")} %S"
  vcs = canary
[url "ext::${run("url.insteadOf")} "]
  insteadOf = http
[protocol]
  allow = always
[protocol "ext"]
  allow = always
[filter "hostile"]
  clean = ${run("filter.clean")}
  smudge = ${run("filter.smudge")}
  process = ${run("filter.process")}
  required = true
[diff]
  external = ${run("diff.external")}
[diff "hostile"]
  command = ${run("diff.command")}
  textconv = ${run("diff.textconv")}
[credential]
  helper = ${run("credential.helper")}
[credential "${url}"]
  helper = ${run("credential.url.helper")}
[gpg]
  program = ${run("gpg.program")}
[commit]
  gpgSign = true
[push]
  gpgSign = true
  recurseSubmodules = on-demand
[log]
  showSignature = true
[uploadpack]
  packObjectsHook = ${run("uploadpack.packObjectsHook")}
[gc]
  auto = 1
  recentObjectsHook = ${run("gc.recentObjectsHook")}
[submodule]
  recurse = true
[submodule "nested"]
  active = true
  update = !${run("submodule.update")}
[alias]
  status = !${run("alias.status")}
  ls-tree = !${run("alias.ls-tree")}
[pager]
  status = ${run("pager.status")}
  config = ${run("pager.config")}
  ls-tree = ${run("pager.ls-tree")}
[http]
  proxy = ${proxy}
  sslVerify = false
`;
}

/** Ways by which git gets to a configuration. */
const placements: readonly (readonly [way: string, place: (root: string, text: string) => void])[] =
  [
    ["in .git/config", (root, text) => appendFileSync(join(root, ".git/config"), text)],
    [
      "through include.path",
      (root, text) => {
        writeFileSync(join(root, ".settings"), text);
        appendFileSync(join(root, ".git/config"), "[include]\n  path = ../.settings\n");
      },
    ],
    [
      "through includeIf and a second include",
      (root, text) => {
        writeFileSync(join(root, ".second"), text);
        writeFileSync(join(root, ".first"), "[include]\n  path = .second\n");
        appendFileSync(
          join(root, ".git/config"),
          `[includeIf "gitdir:**"]\n  path = ../.first\n[core]\n  bare = false\n`,
        );
      },
    ],
    [
      "in config.worktree, behind a .git file",
      (root, text) => {
        appendFileSync(join(root, ".git/config"), "[extensions]\n  worktreeConfig = true\n");
        writeFileSync(join(root, ".git/config.worktree"), text);
        renameSync(join(root, ".git"), join(root, "elsewhere"));
        writeFileSync(join(root, ".git"), "gitdir: elsewhere\n");
      },
    ],
  ];

describe("haft tool in a repository that configures git to run programs", () => {
  const git = (directory: string, ...words: readonly string[]): void => {
    const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    execFileSync("git", ["-C", directory, ...author, ...words]);
  };

  it.each(placements)("runs none of them where the configuration is %s", async (_way, place) => {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const wire = await serveWire(answers);
    const { haft, directory } = createTestWorkspace();
    const root = join(directory, "repository");
    const project = join(root, "tools/word_count");
    mkdirSync(join(project, "nested"), { recursive: true });
    writeFileSync(join(project, "tool.json"), '{"name":"word_count","description":"Counts."}');
    writeFileSync(join(project, "text.txt"), "one\n");
    git(root, "init", "-q", "-b", "main");
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "One.");
    const url = wire.environment.HAFT_URL ?? "http://127.0.0.1";
    const { port } = proxy.address() as AddressInfo;
    const hostile = toHostileConfig(directory, url, `http://127.0.0.1:${port}`);
    // A repository in the project has the same.
    git(join(project, "nested"), "init", "-q");
    git(join(project, "nested"), "commit", "-q", "--allow-empty", "-m", "One.");
    appendFileSync(join(project, "nested/.git/config"), hostile);
    writeFileSync(
      join(root, ".gitmodules"),
      '[submodule "nested"]\n\tpath = tools/word_count/nested\n\turl = x\n',
    );
    writeFileSync(join(project, ".gitattributes"), "* filter=hostile diff=hostile\n");
    writeFileSync(join(project, "text.txt"), "two\n");
    place(root, hostile);
    // Objects that are missing would be fetched.
    const objects = [".git/objects", "elsewhere/objects"].map((path) => join(root, path));
    for (const path of objects.filter(existsSync)) {
      for (const name of readdirSync(path)
        .filter((each) => each.length === 2)
        .slice(1)) {
        rmSync(join(path, name), { recursive: true });
      }
    }
    const environment = { PATH: process.env.PATH ?? "", ...wire.environment };
    const run = (...words: readonly string[]) =>
      haft(["tool", ...words, "--path", "repository/tools/word_count"], { environment });
    const first = await run("publish", "--push", "--bump", "minor");
    expect(first.exitCode, first.stderr).toBe(0);
    const second = await run("publish", "--bump", "minor");
    expect(second.exitCode, second.stderr).toBe(0);
    await run("test", "--push", "--input", "{}");
    await run("test", "--input", "{}");
    expect(readdirSync(join(directory, "canaries"))).toEqual([]);
    expect(asked).toEqual([]);
  });
});
