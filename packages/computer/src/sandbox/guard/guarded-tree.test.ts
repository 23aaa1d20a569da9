import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { GuardedTree } from "./guarded-tree.ts";

describe("GuardedTree", () => {
  it("finds what is secret, protected, fixed or to be watched, and nothing else", async () => {
    const root = plant({
      ".env": "",
      "src/.ENV.local": "",
      "src/.env.example": "",
      "deep/er/id_rsa": "",
      ".aws/config": "",
      ".aws/sso/cache": "",
      ".env-dir/lib/x.py": "",
      ".haft/rules": "",
      ".haft/notes": "",
      ".claude/settings.local.json": "",
      "sub/.mcp.json": "",
      "test/server.pem": "",
      "node_modules/x/test/server.pem": "",
      "node_modules/x/.env": "",
      "node_modules/x/.mcp.json": "",
      "node_modules/x/.git/config": "",
      "node_modules/x/index.js": "",
    });
    expect(await look(root)).toEqual([
      "fixed directory node_modules/x/.git",
      "protected file .claude/settings.local.json",
      "protected file .haft/rules",
      "protected file node_modules/x/.git/config",
      "protected file sub/.mcp.json",
      "secret directory .aws",
      "secret file .env",
      "secret file deep/er/id_rsa",
      "secret file node_modules/x/.env",
      "secret file src/.ENV.local",
      "secret file test/server.pem",
    ]);
  });

  it("knows repositories, those in others, and those without a directory for work", async () => {
    const root = makeTemporaryDirectory();
    const git = (...args: string[]): Buffer =>
      execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=b", ...args]);
    git("init", "-q");
    git("commit", "-qm", "x", "--allow-empty");
    git("branch", "config");
    git("worktree", "add", "-q", "tree");
    git("init", "-q", "--bare", "bare.git");
    mkdirSync(join(root, ".git/modules/deep/sub/hooks"), { recursive: true });
    for (const name of ["HEAD", "config"]) {
      writeFileSync(join(root, ".git/modules/deep/sub", name), "");
    }
    expect(await look(root)).toEqual([
      "fixed directory .git",
      "protected directory .git/hooks",
      "protected directory .git/modules/deep/sub/hooks",
      "protected file .git/config",
      "protected file .git/modules/deep/sub/config",
      "protected file .git/worktrees/tree/commondir",
      "protected file tree/.git",
      "watched file bare.git/config",
    ]);
  });

  it("follows no link, but reports those with a suspicious name", async () => {
    const root = plant({ "real/.env": "" });
    const outside = plant({ ".env": "" });
    symlinkSync(outside, join(root, "out"));
    symlinkSync(root, join(root, "loop"));
    symlinkSync("nowhere", join(root, "credentials.json"));
    symlinkSync(outside, join(root, ".git"));
    expect(await look(root)).toEqual([
      "protected link .git",
      "secret file real/.env",
      "secret link credentials.json",
    ]);
  });

  it("sees every change, however it looks at the tree", async () => {
    const names = ["a", "b", ".env", "key.pem", ".haft", "rules", ".git", "config", "hooks"];
    const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
    const change = fc.record({
      kind: fc.constantFrom("file", "directory", "remove", "move", "close", "open", "link"),
      path,
      to: path,
      isOld: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const root = makeTemporaryDirectory();
        const tree = new GuardedTree(root);
        for (const { kind, path, to, isOld } of changes) {
          const place = join(root, ...path);
          try {
            if (kind === "file") writeFileSync(place, "");
            else if (kind === "directory") mkdirSync(place, { recursive: true });
            else if (kind === "close") chmodSync(place, 0o111);
            else if (kind === "open") chmodSync(place, 0o755);
            else if (kind === "link") symlinkSync(join(...to), place);
            else if (kind === "remove") rmSync(place, { recursive: true });
            else renameSync(place, join(root, ...to));
            // So that some directories are taken to be settled.
            if (isOld) utimesSync(dirname(place), new Date(1000), new Date(1000));
          } catch {
            // Not every change can be made.
          }
          expect(show(root, await tree.find())).toEqual(await look(root));
        }
        execFileSync("chmod", ["-R", "u+rwx", root]);
        rmSync(root, { recursive: true, force: true });
      }),
      { numRuns: 60 },
    );
  });

  it("reports directories that can't be listed, and opens those that it may", async () => {
    const root = plant({ "a/b/c/.env": "", "d/.env": "", "e/f/.mcp.json": "" });
    for (const [name, mode] of [
      ["a/b/c", 0o444],
      ["a/b", 0o111],
      ["d", 0o311],
      ["e/f", 0o000],
    ] as const) {
      chmodSync(join(root, name), mode);
    }
    expect(await look(root)).toEqual([
      "closed directory a/b",
      "closed directory d",
      "closed directory e/f",
    ]);
    const tree = new GuardedTree(root);
    await tree.find();
    const opened = await tree.find(({ path }) => !path.endsWith("/d"));
    expect(show(root, opened)).toEqual([
      "closed directory d",
      "protected file e/f/.mcp.json",
      "secret file a/b/c/.env",
    ]);
    expect(show(root, await tree.find())).toEqual(show(root, opened));
    chmodSync(join(root, "d"), 0o755);
  });

  it("goes by another path's names if told so", async () => {
    const root = plant({ rules: "", "sub/rules": "", "x/mcp.json": "" });
    const tree = new GuardedTree(root, { as: "/elsewhere/.haft" });
    expect(show(root, await tree.find())).toEqual([
      "protected file rules",
      "protected file x/mcp.json",
    ]);
  });

  it("watches the files of a bare repository, also of one whose objects are elsewhere", async () => {
    const root = plant({
      "one/HEAD": "",
      "one/commondir": "../two",
      "bare/HEAD": "",
      "bare/objects/x": "",
      "bare/refs/x": "",
      "bare/config": "",
      "bare/hooks/update": "",
      "bare/hooks/update.sample": "",
      "no/HEAD": "",
      "no/config": "",
    });
    const tree = new GuardedTree(root);
    const before = await tree.find();
    expect(show(root, before)).toEqual([
      "watched file bare/config",
      "watched file bare/hooks/update",
      "watched file one/commondir",
    ]);
    const { atime, mtime } = statSync(join(root, "bare/hooks/update"));
    writeFileSync(join(root, "bare/hooks/update"), "x");
    utimesSync(join(root, "bare/hooks/update"), atime, mtime);
    const identities = new Set(before.map(({ identity }) => identity));
    const changed = (await tree.find()).filter(({ identity }) => !identities.has(identity));
    expect(show(root, changed)).toEqual(["watched file bare/hooks/update"]);
  });

  it("searches again for a request that arrives during a search", async () => {
    const root = makeTemporaryDirectory();
    for (let index = 0; index < 1500; index++) mkdirSync(join(root, `${index}`));
    const tree = new GuardedTree(root);
    const first = tree.find();
    // By now it has begun.
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(join(root, ".env"), "");
    const [second, third] = await Promise.all([tree.find(), tree.find(), first]);
    expect(second).toHaveLength(1);
    expect(third).toBe(second);
  });

  it("refuses a tree that it does not come through", async () => {
    const root = makeTemporaryDirectory();
    for (let index = 0; index < 200; index++) mkdirSync(join(root, `${index}`));
    const tree = new GuardedTree(root, {
      limits: { directories: 100, milliseconds: 60_000 },
    });
    await expect(tree.find()).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining(root),
    });
  });

  it("finds nothing where nothing is", async () => {
    expect(await look(join(makeTemporaryDirectory(), "missing"))).toEqual([]);
  });
});

function plant(files: Readonly<Record<string, string>>): string {
  const root = makeTemporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

async function look(root: string): Promise<readonly string[]> {
  return show(root, await new GuardedTree(root).find());
}

function show(root: string, places: Awaited<ReturnType<GuardedTree["find"]>>): readonly string[] {
  return places
    .map(({ kind, type, path }) => `${kind} ${type} ${path.slice(root.length + 1)}`)
    .sort();
}
