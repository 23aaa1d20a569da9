import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandReading } from "@haft/core";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createCommandReader } from "./command-reader.ts";

const reader = createCommandReader({ roots: ["/w"], home: "/home/me" });
const read = (command: string): CommandReading => reader.read(command, "/w");

beforeAll(() => reader.prepare());

describe("a command reader", () => {
  it("is ready once it was prepared, for all places", () => {
    expect(reader.prepare()).toBeUndefined();
    expect(createCommandReader({ roots: [], home: undefined }).prepare()).toBeUndefined();
  });

  it("lists every command with its words", () => {
    const { commands, doubts } = read("git log -1 && (ls 'a b' | head); echo $(id)");
    expect(doubts).toEqual([]);
    expect(commands.map(({ words }) => words)).toEqual([
      ["git", "log", "-1"],
      ["ls", "a b"],
      ["head"],
      ["id"],
      ["echo", undefined],
    ]);
    expect(commands.map((command) => command.doubts.length)).toEqual([0, 0, 0, 0, 1]);
  });

  it("takes wrappers off, outermost first", () => {
    const { commands } = read("timeout 5 env CI=1 bash -c 'nice ls -l; pwd'");
    expect(commands).toMatchObject([
      {
        words: ["ls", "-l"],
        wrappers: [["timeout", "5"], ["env", "CI=1"], ["bash", "-c", "nice ls -l; pwd"], ["nice"]],
      },
      { words: ["pwd"] },
    ]);
  });

  it.each([
    ["git -C a --no-pager push -f", ["git", "push", "-f"]],
    ["/usr/bin/git log", ["git", "log"]],
    ["git stash list", ["git", "stash", "list"]],
    ["git stash -m x", ["git", "stash", "-m", "x"]],
    ["docker --context x compose -f a.yml up -d", ["docker", "compose", "up", "-d"]],
    ["kubectl -n x get pods", ["kubectl", "get", "pods"]],
    ["npm --workspace a run b", ["npm", "run", "b"]],
    ["gh -R a/b pr list", ["gh", "-R", "a/b", "pr", "list"]],
    ["git push --force", ["git", "push", "--force"]],
    ["git unknown -x", ["git", "unknown", "-x"]],
    ["./x y", ["x", "y"]],
  ])("knows the plain words of %j", (command, plainWords) => {
    expect(read(command).commands.at(-1)?.plainWords).toEqual(plainWords);
  });

  it.each([
    ["sort -o b a", [1]],
    ["sort a --output=b", [2]],
    ["git -c a=b log --output=c", [1, 4]],
    ["npm test", [0]],
    ["npx prettier --write a", [0, 1, 2]],
    ["canary x", [0]],
    ["cat a .env", [2]],
    ["bash a.sh", [0, 1]],
    ["cp a /etc/b", [2]],
    ["sed -n p a", []],
    ["mkdir a", []],
  ])("knows the risks of %j", (command, words) => {
    expect(read(command).commands[0]?.risks.map(({ word }) => word)).toEqual(words);
  });

  it.each([
    ["ls", ["reads"]],
    ["rm a", ["deletes"]],
    ["cp a b", ["writes"]],
    ["mv a b", ["writes", "deletes"]],
    ["git log", ["reads"]],
    ["git commit -m x", ["writes"]],
    ["git push", ["net", "writes"]],
    ["npm test", ["runs", "writes", "net"]],
    ["curl x", ["net"]],
    ["sort -o a b", ["reads", "writes"]],
    ["find . -delete", ["reads", "deletes"]],
    ["tar tf a", ["reads"]],
    ["tar xf a", ["writes"]],
    ["python3 --version", ["reads"]],
    ["canary", ["unknown"]],
    ["git canary", ["unknown"]],
  ])("knows what %j does", (command, effects) => {
    expect(read(command).commands[0]?.effects).toEqual(effects);
  });

  it.each([
    ["ls; git log | head", true],
    ["cd a && git status", true],
    ["[ -f a ] && cat a", true],
    ["ls > /dev/null 2>&1", true],
    ["ls > a", false],
    ["cat .env", false],
    ["rm a", false],
    ["npm test", false],
    ["curl x", false],
    ["ls $x", false],
    ["canary", false],
    ["ls; (", false],
  ])("says of %j whether it only reads: %j", (command, readsOnly) => {
    expect(read(command).readsOnly).toBe(readsOnly);
  });

  it("names the words of what does not parse", () => {
    const { doubts, looseWords } = read('if ( "r"\\m $(x');
    expect(doubts[0]).toContain("does not parse");
    expect(looseWords).toEqual(expect.arrayContaining(["if", "rm", "x"]));
  });

  it("is not certain where the parsers see different things", () => {
    const { doubts, looseWords, commands } = read("ls\\\n -la");
    expect(doubts).toEqual(["the two parsers disagree about it"]);
    expect(looseWords).toEqual(["ls", "-la"]);
    expect(commands.map(({ words }) => words)).toEqual([["ls", "-la"]]);
  });

  it("says why it is not certain", () => {
    expect(read("f() { ls; }").doubts).toEqual(["it defines a function"]);
    expect(read("ls $x").commands[0]?.doubts).toEqual([
      "it has a word that the shell expands, so its arguments are not known in advance",
    ]);
    expect(read("LD_PRELOAD=x ls").doubts).toEqual(["LD_PRELOAD may change what programs do"]);
    expect(read("sudo ls").commands[0]?.doubts[0]).toContain("as another user");
  });
});

describe("the directory", () => {
  const directory = (): string => {
    const root = makeTemporaryDirectory();
    mkdirSync(join(root, "a/b"), { recursive: true });
    symlinkSync("a/b", join(root, "inside"));
    symlinkSync("/", join(root, "outside"));
    return root;
  };

  it.each([
    ["cd a && ls", "/a"],
    ["cd a; ls", "/a"],
    ["cd a\ncd b\nls", "/a/b"],
    ["cd ./a/../a// && ls", "/a"],
    ["cd -- a && ls", "/a"],
    ["builtin cd a && ls", "/a"],
    ["cd a && cd .. && ls", ""],
    ["cd inside && cd .. && ls", ""],
    ["(cd a); ls", ""],
    ["(cd a && ls)", "/a"],
    ["{ cd a; }; ls", "/a"],
    ["cd a | ls; ls", ""],
    ["cd a & ls", ""],
    ["true | cd a; ls", ""],
    ["cd a || ls", "/a"],
    ["cd new && ls", "/new"],
    ["cd new && ls; ls", undefined],
    ["cd new; ls", undefined],
    ["cd new || ls", ""],
    ["! cd new && ls", ""],
    ["! cd new || ls", "/new"],
    ["cd new && cd a || ls", undefined],
    ["mkdir x; cd a; ls", undefined],
    ["ls > x; cd a; ls", undefined],
    ["if cd new; then ls; fi", "/new"],
    ["if cd new; then true; else ls; fi", ""],
    ["if true; then cd a; fi; ls", undefined],
    ["while true; do cd b; ls; done", undefined],
    ["while true; do ls; done", ""],
    ["pushd a && ls", "/a"],
    ["pushd a && popd && ls", undefined],
    ["cd - && ls", undefined],
    ["cd $x && ls", undefined],
    ["timeout 5 cd a; ls", ""],
    ["env -C a ls", "/a"],
    ["bash -c 'cd a'; ls", ""],
    ["bash -c 'cd a; ls'", "/a"],
    ["eval 'cd a'; ls", ""],
  ])("is followed through %j", (command, expected) => {
    const root = directory();
    const { commands } = createCommandReader({ roots: [root], home: root }).read(command, root);
    const last = commands.filter(({ words }) => words[0] === "ls").at(-1);
    expect(last?.cwd).toBe(expected === undefined ? undefined : `${root}${expected}`);
    if (expected === undefined) expect(last?.doubts).not.toEqual([]);
  });

  it.each([
    "cd outside && ls",
    "cd ../../../../../../.. && ls",
    "cd / && ls",
    "cd outside/.. && cd / && ls",
  ])("is not certain outside of the workspace: %j", (command) => {
    const root = directory();
    const { commands } = createCommandReader({ roots: [root], home: root }).read(command, root);
    expect(commands.flatMap(({ doubts }) => doubts).join()).toContain("outside the workspace");
  });

  it("is not certain for git in a planted repository", () => {
    const root = directory();
    mkdirSync(join(root, "a/objects"));
    writeFileSync(join(root, "a/HEAD"), "ref: refs/heads/main\n");
    const reading = (command: string): CommandReading =>
      createCommandReader({ roots: [root], home: root }).read(command, root);
    expect(reading("git status").readsOnly).toBe(true);
    expect(reading("cd a && git status").readsOnly).toBe(false);
    expect(reading("cd a/b && git status").readsOnly).toBe(false);
    expect(reading("git -C a/b status").readsOnly).toBe(false);
    mkdirSync(join(root, "a/b/.git"));
    expect(reading("git -C a/b status").readsOnly).toBe(true);
  });
});
