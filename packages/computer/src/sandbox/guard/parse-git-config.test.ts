import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { readGitSettings } from "./git-settings.ts";
import { parseGitConfig } from "./parse-git-config.ts";

describe("parseGitConfig", () => {
  it.each([
    ["[core]\n\thooksPath = x", "core.hookspath=x"],
    ["[CORE] HooksPath=x", "core.hookspath=x"],
    ['[core]hooksPath = "a b" # c', "core.hookspath=a b"],
    ['[core]\nhooksPath = a "b  c" d ; e', "core.hookspath=a b  c d"],
    ["[core]\nhooksPath = a\\\n  b", "core.hookspath=a  b"],
    ['[core]\nhooksPath = "a\\\nb"', "core.hookspath=ab"],
    ['[core]\nhooksPath = a\\"b\\\\c\\td', 'core.hookspath=a"b\\c\td'],
    ['[includeIf "gitdir:~/x \\"y\\"]"] path = z', "includeif.path=z"],
    ["[remote.origin]\nurl = x", "remote.url=x"],
    ["[core]\nbare", "core.bare=true"],
    ["[core]\r\nhooksPath = x\r\n", "core.hookspath=x"],
    ["\uFEFF[core]\nhooksPath = x", "core.hookspath=x"],
    ["# [core]\n;x\n[core]; y\nhooksPath = x", "core.hookspath=x"],
    ["[user] [core] hooksPath = x", "core.hookspath=x"],
  ])("reads %j", (content, expected) => {
    expect(parseGitConfig(content).map(({ name, value }) => `${name}=${value}`)).toEqual([
      expected,
    ]);
  });

  it("reads at least what git does", () => {
    const part = fc.constantFrom(
      ...'[core]|[ core ]|[core "x"]|[core "x\\"]"]|[a.b]|hooksPath|path|x|=| |\n|\\\n|\\|"|#|;|\r\n|\t|[|]|\uFEFF|\\t|\\"'.split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const content = parts.join("");
        const found = new Set(parseGitConfig(content).map(({ name, value }) => `${name}=${value}`));
        expect(readByGit(content).filter((setting) => !found.has(setting))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("readGitSettings", () => {
  it("finds what leads git elsewhere, and nothing else", () => {
    expect(
      readGitSettings(`[core]
        hooksPath = h
        worktree = ../w
        fsmonitor = bin/watch --x
        excludesFile = ignored
      [include] path = i
      [includeIf "onbranch:x"] path = ii
      [init] templateDir = t
      [alias]
        st = status
        run = "!f() { scripts/run.sh a; }; f"
      [filter "x"] clean = node --import tsx \\"scripts/a b.ts\\" d e
      [remote "origin"] url = ../other.git`),
    ).toMatchObject({
      includes: ["i", "ii"],
      hooks: ["h", "t"],
      worktrees: ["../w"],
      programs: expect.arrayContaining(["bin/watch", "scripts/run.sh", "scripts/a b.ts"]),
    });
    expect(readGitSettings("[core]\nexcludesFile = a\n[alias]\nst = status").programs).toEqual([]);
  });
});

/** The settings that git itself sees, without subsections. */
function readByGit(content: string): readonly string[] {
  const file = join(makeTemporaryDirectory(), "config");
  writeFileSync(file, content);
  try {
    return execFileSync("git", ["config", "--file", file, "--null", "--list"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .split("\0")
      .filter((setting) => setting !== "")
      .map((setting) => {
        const [name = "", ...value] = setting.split("\n");
        const section = name.includes(".") ? name.split(".")[0] : "";
        const key = name.slice(name.lastIndexOf(".") + 1);
        return `${section}.${key}=${value.length === 0 ? "true" : value.join("\n")}`;
      });
  } catch {
    // It does not take it for a configuration at all.
    return [];
  }
}
