import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCommand } from "../test-support/plain-commands.ts";
import { compileShellPattern, toShellPattern } from "./shell-pattern.ts";

const noLinks = { identify: (path: string) => posix.normalize(path) };

describe("a shell pattern", () => {
  it.each([
    ["git log", ["git", "log"], true],
    ["git log", ["git", "log", "--oneline"], true],
    ["git log", ["git", "logout"], false],
    ["git log", ["git"], false],
    ["git log", ["git", "-C", "x", "log"], false],
    ["git log *", ["git", "log"], true],
    ["git log *", ["git", "log", "-1", "HEAD"], true],
    ["git log*", ["git", "logout"], true],
    ["npm run test:*", ["npm", "run", "test:unit"], true],
    ["npm run test:*", ["npm", "run", "test"], false],
    ["npm * test", ["npm", "run", "test"], true],
    ["npm * test", ["npm", "run", "-s", "test"], false],
    ["cat src/*", ["cat", "src/a/b"], true],
    ["a*c*e", ["abcde"], true],
    ["a*c*e", ["abde"], false],
    ["ab*ba", ["aba"], false],
    ["*", ["anything", "at", "all"], true],
    ["a\\*b", ["a*b"], true],
    ["a\\*b", ["axb"], false],
    ['git commit -m "fix it"', ["git", "commit", "-m", "fix it"], true],
    ["git commit -m 'a * b'", ["git", "commit", "-m", "a * b"], true],
    ["git commit -m 'a * b'", ["git", "commit", "-m", "a x b"], false],
    ["/usr/bin/git log", ["git", "log"], false],
    ["git log", ["/usr/bin/git", "log"], false],
    ["git $X", ["git", "$X"], false],
  ])("%s covers %j: %s", (pattern, words, expected) => {
    expect(compileShellPattern(pattern).covers(makeCommand(words), noLinks)).toBe(expected);
  });

  it.each([
    ["cat src/*", ["cat", "src/a", "src/b", "-n"], true],
    ["cat src/*", ["cat", "src/a", "b"], false],
    ["cat src/*", ["cat", "src/a", "--file=/b"], false],
    ["cat src/* *", ["cat", "src/a", "b"], true],
    ["cat src/*", ["cat", "src/../b"], false],
    ["cat src/*", ["cat", "src/.."], false],
    ["cat src/*", ["cat", "src/a/../b"], false],
    ["cat src/*", ["cat", "src/..a"], true],
    ["cat src/*", ["cat", "src//a/./b/"], true],
    ["cat ../src/*", ["cat", "../src/a"], true],
    ["cat ../src/*", ["cat", "../src/../a"], false],
    ["cat ./src/*", ["cat", "./src/a"], true],
    ["cat /w/*", ["cat", "/w/a"], true],
    ["cat /w/*", ["cat", "/w/../a"], false],
    ["cat *.md", ["cat", "a.md"], true],
    ["cat *.md", ["cat", "../a.md"], false],
    ["cat *.md", ["cat", "/a.md"], false],
    ["cat * a", ["cat", "../b", "a"], true],
    ["x --file=src/*", ["x", "--file=src/a"], true],
    ["x --file=src/*", ["x", "--file=src/../a"], false],
    ["x -Isrc/*", ["x", "-Isrc/../a"], false],
    ["x -I*", ["x", "-I../a"], false],
    ["curl https://example.org/a/*", ["curl", "https://example.org/a/b?c"], true],
    ["curl https://example.org/a/*", ["curl", "https://example.org/a/../b"], false],
    ["curl https://example.org/a/*", ["curl", "https://example.org/a/%2E%2e/b"], false],
    ["git diff main*", ["git", "diff", "main..other"], true],
  ])("%s covers %j by where it leads: %s", (pattern, words, expected) => {
    expect(compileShellPattern(pattern).covers(makeCommand(words), noLinks)).toBe(expected);
  });

  it("covers a link only if the pattern matches where it leads", () => {
    const leads: Readonly<Record<string, string>> = {
      "/w/src/out": "/etc/passwd",
      "/w/src/in": "/w/src/a",
      "/w/src/notes.md": "/w/src/key",
      "/w/linked": "/w/src",
      "/w/linked/a": "/w/src/a",
    };
    const links = { identify: (path: string) => leads[path] ?? path };
    const covers = (pattern: string, word: string): boolean =>
      compileShellPattern(pattern).covers(makeCommand(["cat", word], "/w"), links);
    expect(covers("cat src/*", "src/in")).toBe(true);
    expect(covers("cat src/*", "src/out")).toBe(false);
    expect(covers("cat --x=src/*", "--x=src/out")).toBe(false);
    expect(covers("cat src/*.md", "src/notes.md")).toBe(false);
    expect(covers("cat linked/*", "linked/a")).toBe(true);
    expect(covers("cat src/out", "src/out")).toBe(true);
  });

  it("covers a risky word only where it spells it out", () => {
    const risky = { ...makeCommand(["sort", "-o", "out"]), risks: [{ word: 1, why: "it writes" }] };
    const covers = (pattern: string): boolean =>
      compileShellPattern(pattern).covers(risky, noLinks);
    expect(["*", "sort", "sort *", "sort -* out"].map(covers)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(["sort -o", "sort -o out", "sort -o *"].map(covers)).toEqual([true, true, true]);
  });

  it("covers a program that is risky as such only by its name", () => {
    const make = { ...makeCommand(["make"]), risks: [{ word: 0, why: "it runs anything" }] };
    expect(compileShellPattern("*").covers(make, noLinks)).toBe(false);
    expect(compileShellPattern("m*").covers(make, noLinks)).toBe(false);
    expect(compileShellPattern("make").covers(make, noLinks)).toBe(true);
  });

  it("covers nothing that is in doubt", () => {
    const doubtful = { ...makeCommand(["git", "log"]), doubts: ["a variable steers it"] };
    expect(compileShellPattern("git log").covers(doubtful, noLinks)).toBe(false);
    expect(compileShellPattern("git log").concerns(doubtful)).toBe(true);
  });

  it.each([
    ["rm", ["/bin/rm", "x"], true],
    ["rm", ["./rm"], true],
    ["/bin/rm", ["rm", "x"], true],
    ["rm", ["rmdir"], false],
    ["rm -rf", ["rm", "-r"], false],
    ["git push", ["git", "$X"], false],
  ])("%s concerns %j under any path: %s", (pattern, words, expected) => {
    expect(compileShellPattern(pattern).concerns(makeCommand(words))).toBe(expected);
  });

  it("finds its program among words of which nothing is known", () => {
    expect(compileShellPattern("rm -rf").isAmong(["echo", "/bin/rm"])).toBe(true);
    expect(compileShellPattern("rm").isAmong(["farm", "rmdir"])).toBe(false);
  });

  it("is more specific the more it spells out", () => {
    const counts = ["*", "git", "git *", "git log", "git log --oneline"].map(
      (pattern) => compileShellPattern(pattern).literals,
    );
    expect(counts).toEqual([0, 3, 3, 7, 17]);
  });
});

describe("toShellPattern", () => {
  it("makes a pattern that covers exactly these words and what follows", () => {
    const word = fc
      .string({ minLength: 1, unit: "binary" })
      .filter((text) => !text.startsWith("$"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (words, other) => {
        const pattern = compileShellPattern(toShellPattern(words));
        expect(pattern.covers(makeCommand(words), noLinks)).toBe(true);
        expect(pattern.covers(makeCommand([...words, "more"]), noLinks)).toBe(true);
        const changed = [...words.slice(0, -1), other];
        expect(pattern.covers(makeCommand(changed), noLinks)).toBe(other === words.at(-1));
      }),
    );
  });
});
