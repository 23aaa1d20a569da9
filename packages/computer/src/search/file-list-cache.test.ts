import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portablePinning } from "../disk/portable-pinning.ts";
import { canPinThroughProc, procPinning } from "../disk/proc-pinning.ts";
import { listWithRipgrep } from "../test-support/ask-ripgrep.ts";
import { plantTree, randomTree } from "../test-support/random-tree.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { FileListCache } from "./file-list-cache.ts";

const pinning = canPinThroughProc() ? procPinning : portablePinning;

describe("FileListCache", () => {
  const prepare = (files: Readonly<Record<string, string>> = {}) => {
    const base = makeTemporaryDirectory();
    const environment = { HOME: join(base, "home"), XDG_CONFIG_HOME: join(base, "config") };
    const root = plantTree({ files: prefix(files), links: {}, start: "tree/" }, base);
    const lists = new FileListCache({ pinning, environment });
    const list = async (directory = root) => (await lists.list(directory)).files;
    const put = (path: string, text = ""): void => writeFileSync(join(root, path), text);
    return { base, root, environment, lists, list, put };
  };
  const prefix = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`tree/${path}`, text]));
  // Long ago, so that the clock of the file system ticked since.
  const settle = (...paths: string[]): void => {
    for (const path of paths) utimesSync(path, 1000, 1000);
  };

  it("lists what ripgrep lists, whatever is ignored and how", async () => {
    const base = makeTemporaryDirectory();
    let tree = 0;
    await fc.assert(
      fc.asyncProperty(randomTree, async (random) => {
        const place = join(base, String(tree++));
        const environment = { HOME: join(place, "home"), XDG_CONFIG_HOME: join(place, "config") };
        const directory = plantTree(random, place);
        const { files } = await new FileListCache({ pinning, environment }).list(directory);
        expect(files).toEqual(listWithRipgrep({ directory, environment }));
        rmSync(place, { recursive: true });
      }),
      { numRuns: 150 },
    );
  });

  it("knows of every change at once", async () => {
    const { root, environment, lists } = prepare();
    const path = fc.constantFrom("a", "b", "a/c", "a/d", "b/c", "a/c/e", ".gitignore", "a/.ignore");
    const change = fc.record({ path, content: fc.constantFrom("c\n", "d\n", "e\n", "") });
    const apply = ({ path: name, content }: { path: string; content: string }): void => {
      const at = join(root, name);
      try {
        if (content === "") rmSync(at, { recursive: true });
        else if (/^[ab]$/u.test(name)) mkdirSync(at);
        else writeFileSync(at, content);
      } catch {
        // There is nothing to take away, or no directory to put it in.
      }
    };
    mkdirSync(join(root, ".git"));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        for (const one of changes) apply(one);
        const { files } = await lists.list(root);
        expect(files).toEqual(listWithRipgrep({ directory: root, environment }));
      }),
      { numRuns: 150 },
    );
  });

  it("gives the same list as long as nothing changes", async () => {
    const { root, lists, put } = prepare({ "a/b.ts": "", "c.ts": "" });
    // The clock must have ticked before a directory is taken to be as it was.
    await new Promise((resolve) => setTimeout(resolve, 120));
    const first = await lists.list(root);
    expect(await lists.list(root)).toBe(first);
    put("a/d.ts");
    const second = await lists.list(root);
    expect(second).not.toBe(first);
    expect(second.files).toEqual(["a/b.ts", "a/d.ts", "c.ts"]);
  });

  it("reads an ignore file again that was rewritten at the same size and time", async () => {
    const { root, list, put } = prepare({ ".git/HEAD": "", ".gitignore": "a\n", a: "", b: "" });
    expect(await list()).toEqual(["b"]);
    settle(join(root, ".gitignore"));
    expect(await list()).toEqual(["b"]);
    put(".gitignore", "b\n");
    settle(join(root, ".gitignore"));
    expect(await list()).toEqual(["a"]);
  });

  it("applies rules above the directory, and the user's own", async () => {
    const { base, root, list, put } = prepare({ ".git/HEAD": "", "src/a": "", "src/b": "" });
    const source = join(root, "src");
    expect(await list(source)).toEqual(["a", "b"]);
    put(".gitignore", "/src/a\n");
    expect(await list(source)).toEqual(["b"]);
    mkdirSync(join(base, "config/git"), { recursive: true });
    writeFileSync(join(base, "config/git/ignore"), "b\n");
    expect(await list(source)).toEqual([]);
    mkdirSync(join(base, "home"));
    writeFileSync(join(base, "home/.gitconfig"), "[core]\n  excludesFile = ~/mine\n");
    expect(await list(source)).toEqual(["b"]);
    writeFileSync(join(base, "home/mine"), "b\n");
    expect(await list(source)).toEqual([]);
  });

  it("applies the exclude file of a repository, also through a linked worktree", async () => {
    const { root, environment, list } = prepare({
      "a.x": "",
      "b.y": "",
      "main/.git/HEAD": "",
    });
    mkdirSync(join(root, "main/.git/info"));
    writeFileSync(join(root, "main/.git/info/exclude"), "*.x\n");
    mkdirSync(join(root, "main/.git/worktrees/w"), { recursive: true });
    writeFileSync(join(root, "main/.git/worktrees/w/commondir"), "../..\n");
    writeFileSync(join(root, ".git"), `gitdir: ${join(root, "main/.git/worktrees/w")}\n`);
    expect(await list()).toEqual(["b.y"]);
    expect(await list()).toEqual(listWithRipgrep({ directory: root, environment }));
  });

  it("recognizes repositories as ripgrep does, also outside of any", async () => {
    for (const mark of [".git/HEAD", ".jj/repo", "none"]) {
      const { root, environment, list } = prepare({
        ".gitignore": "!*b*/*\n*.x\n",
        "lib/a.x": "",
        "lib/.hidden/b": "",
        [`lib/${mark}`]: "",
      });
      expect(await list()).toEqual(listWithRipgrep({ directory: root, environment }));
    }
  });

  it("follows no links and lists none", async () => {
    const { base, root, list } = prepare({ "a/b": "" });
    writeFileSync(join(base, "secret"), "");
    symlinkSync(base, join(root, "out"));
    symlinkSync("a/b", join(root, "link"));
    symlinkSync("a", join(root, "door"));
    expect(await list()).toEqual(["a/b"]);
  });

  it("does not follow a link that takes the place of a directory it knows", async () => {
    const { base, root, list } = prepare({ "a/b/c": "" });
    mkdirSync(join(base, "outside/b"), { recursive: true });
    writeFileSync(join(base, "outside/b/secret"), "");
    expect(await list()).toEqual(["a/b/c"]);
    renameSync(join(root, "a"), join(base, "away"));
    symlinkSync(join(base, "outside"), join(root, "a"));
    expect(await list()).toEqual([]);
    expect(await list(join(root, "a"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("skips what it may not look into", async () => {
    const { root, list } = prepare({ "a/b": "", c: "" });
    chmodSync(join(root, "a"), 0);
    expect(await list()).toEqual(["c"]);
    chmodSync(join(root, "a"), 0o755);
  });

  it("does not wait for a pipe that is called like an ignore file", async () => {
    const { root, list } = prepare({ a: "" });
    spawnSync("mkfifo", [join(root, ".ignore")]);
    expect(await list()).toEqual(["a"]);
  });

  it("reads an ignore file up to what is not UTF-8", async () => {
    const { root, environment, list } = prepare({ a: "", b: "", c: "" });
    writeFileSync(join(root, ".ignore"), Buffer.from("a\nb\xff\nc\n", "latin1"));
    expect(await list()).toEqual(["b", "c"]);
    expect(await list()).toEqual(listWithRipgrep({ directory: root, environment }));
  });
});
