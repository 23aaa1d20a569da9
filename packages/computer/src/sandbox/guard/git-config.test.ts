import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { cleanGitConfig } from "./git-config.ts";

const nowhere = (): boolean => false;

describe("cleanGitConfig", () => {
  it("leaves what git itself writes as it is", () => {
    const content = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[user]
\tname = Some One
; a comment \\
# another
[extensions]
\tworktreeConfig = true
`;
    expect(cleanGitConfig(content, nowhere)).toEqual({ content, removed: [] });
  });

  it.each([
    "[core]\nhooksPath = /tmp/x",
    "[core]\nfsmonitor = /tmp/x",
    "[CORE] sshCommand = x",
    "[core] editor = x",
    '[core "x"] pager = x',
    "[alias]\nx = !id",
    "[include]\npath = /tmp/x",
    '[includeIf "gitdir:/"]\npath = /tmp/x',
    '[filter "x"]\nclean = id',
    '[diff "x"]\ntextconv = id',
    '[merge "x"]\ndriver = id',
    "[credential]\nhelper = !id",
    '[remote "x"]\nuploadpack = id',
    '[remote "x"]\nvcs = id',
    '[submodule "x"]\nupdate = !id',
    '[branch "x"]\nmergeoptions = -s evil',
    "[gc]\nrecentObjectsHook = id",
    "[init]\ntemplateDir = /tmp/x",
    "[protocol] allow = always",
    '[url "ext::sh -c id"]\ninsteadOf = https://',
    "[http]\nproxy = http://evil",
    "[gpg]\nprogram = id",
    "[user]\nname = a\\\n[core]\nhooksPath = x",
    "[user] [core] hooksPath = x",
    "[user]name=a\n[core]hooksPath=x",
    "[remote.origin]\nuploadpack = id",
    "[core]\nworktree = /etc",
    "\uFEFF[core]\nhooksPath = x",
    "[core]\r\nhooksPath = x\r\n",
    "hooksPath = x",
  ])("takes out %j", (setting) => {
    const cleaned = cleanGitConfig(
      `[core]\nbare = false\n${setting}\n[user]\nemail = e\n`,
      nowhere,
    );
    expect(cleaned.removed.length).toBeGreaterThan(0);
    expect(cleaned.content).toContain("bare = false");
    expect(listed(cleaned.content).filter(isRisky)).toEqual([]);
  });

  it("asks where a repository says that its files are", () => {
    const content = "[core]\nworktree = ../../../sub\n";
    const asked: string[] = [];
    const mayWorkIn = (directory: string): boolean => asked.push(directory) > 0;
    expect(cleanGitConfig(content, mayWorkIn)).toEqual({ content, removed: [] });
    expect(asked).toEqual(["../../../sub"]);
    expect(cleanGitConfig(content, nowhere).removed).toEqual(["core.worktree"]);
  });

  it("leaves nothing that git would understand otherwise", () => {
    const part = fc.constantFrom(
      ...'[core]|[user]|[ core ]|[core "x"]|[alias]|[a.b]|hooksPath|name|bare|x|=| |\n|\\\n|\\|"|#|;|!id|\r\n|\t|[|]|\uFEFF|\0'.split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const { content } = cleanGitConfig(parts.join(""), nowhere);
        return listed(content).filter(isRisky).length === 0;
      }),
      { numRuns: 150 },
    );
  });
});

// In a subsection of its own git never looks for `bare`, so it may stay there.
function isRisky(name: string): boolean {
  return !/^(?:core\.(?:x\.)?bare$|user\.|branch\.|remote\.\w+\.(?:url|fetch)$|extensions\.)/u.test(
    name,
  );
}

/** The names of the settings that git itself sees. */
function listed(content: string): readonly string[] {
  const file = join(makeTemporaryDirectory(), "config");
  writeFileSync(file, content);
  try {
    return execFileSync("git", ["config", "--file", file, "--name-only", "--list"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .split("\n")
      .filter((name) => name !== "");
  } catch {
    // It does not take it for a configuration at all.
    return [];
  }
}
