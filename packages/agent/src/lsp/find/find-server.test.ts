import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findServer } from "./find-server.ts";
import { languageTable } from "./language-table.ts";

/** Makes files; those in a directory named `bin` or `.bin` can be run. */
function makeTree(files: Readonly<Record<string, string>>): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-find-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(base, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (/\/\.?bin\//u.test(path)) chmodSync(path, 0o755);
  }
  return base;
}

const manifest = (version: string): string => JSON.stringify({ name: "typescript", version });

describe("the server of a file", () => {
  it("is the project's nearest, then one on the search path", () => {
    const base = makeTree({
      "w/packages/a/src/x.py": "",
      "w/packages/b/x.py": "",
      "w/packages/a/node_modules/.bin/pyright-langserver": "",
      "w/node_modules/.bin/pylsp": "",
      "bin/basedpyright-langserver": "",
      "other/node_modules/.bin/pyright-langserver": "",
    });
    const root = join(base, "w");
    const searchPath = [join(base, "other/node_modules/.bin"), "relative", join(base, "bin")].join(
      ":",
    );
    const find = (name: string): string =>
      findServer(join(root, name), { roots: [root], searchPath }).program.path.slice(
        base.length + 1,
      );
    expect(find("packages/a/src/x.py")).toBe("w/packages/a/node_modules/.bin/pyright-langserver");
    expect(find("packages/b/x.py")).toBe("bin/basedpyright-langserver");
  });

  it("is started at the nearest marker, or at what marks a whole", () => {
    const base = makeTree({
      "w/go.work": "",
      "w/a/go.mod": "",
      "w/a/b/x.go": "",
      "w/c/Cargo.toml": "",
      "w/c/x.rs": "",
      "w/x.lua": "",
      "bin/gopls": "",
      "bin/rust-analyzer": "",
      "bin/lua-language-server": "",
    });
    const roots = [join(base, "w")];
    const find = (name: string): string =>
      findServer(join(base, name), { roots, searchPath: join(base, "bin") }).root.slice(
        base.length + 1,
      );
    expect([find("w/a/b/x.go"), find("w/c/x.rs"), find("w/x.lua")]).toEqual(["w", "w/c", "w"]);
  });

  it.each([
    ["5.9.3", true, "typescript-language-server"],
    ["7.0.2", true, "tsc"],
    ["7.0.2", false, "tsc"],
    ["5.9.3", false, undefined],
  ])("for TypeScript %s, with its own server %s, is %s", (version, hasServer, expected) => {
    const base = makeTree({
      "w/x.ts": "",
      "w/node_modules/typescript/package.json": manifest(version),
      "w/node_modules/typescript/bin/tsc": "",
      "w/node_modules/.bin/other": "",
      ...(version.startsWith("5") && { "w/node_modules/typescript/lib/tsserver.js": "" }),
      ...(hasServer && { "w/node_modules/.bin/typescript-language-server": "" }),
    });
    const root = join(base, "w");
    symlinkSync("../typescript/bin/tsc", join(root, "node_modules/.bin/tsc"));
    const find = () => findServer(join(root, "x.ts"), { roots: [root], searchPath: "" });
    if (expected === undefined) {
      expect(find).toThrow(/typescript-language-server/u);
      return;
    }
    expect(find().program.program).toBe(expected);
    if (expected === "tsc") return;
    expect(find().program.options).toMatchObject({
      tsserver: { path: join(root, "node_modules/typescript/lib/tsserver.js") },
    });
    expect(find().reads).toContain(join(root, "node_modules/typescript"));
  });

  it("does not read what a package of the project only pretends to be", () => {
    const base = makeTree({
      "w/x.ts": "",
      "w/node_modules/.bin/typescript-language-server": "",
      "keys/package.json": manifest("5.9.3"),
      "keys/lib/tsserver.js": "",
    });
    const root = join(base, "w");
    symlinkSync(join(base, "keys"), join(root, "node_modules/typescript"));
    const found = findServer(join(root, "x.ts"), { roots: [root], searchPath: undefined });
    expect(found.reads).toEqual([]);
  });

  it("reads the packages above a workspace that is a part of a project", () => {
    const base = makeTree({
      "p/packages/w/x.css": "",
      "p/node_modules/a/package.json": "{}",
      "p/packages/w/node_modules/.bin/vscode-css-language-server": "",
    });
    const root = join(base, "p/packages/w");
    const found = findServer(join(root, "x.css"), { roots: [root], searchPath: undefined });
    expect(found.reads).toEqual([join(base, "p/node_modules")]);
  });

  it("is that of the repository for a package of a monorepo, with its packages and without its history", () => {
    const base = makeTree({
      "r/.git/HEAD": "",
      "r/node_modules/.bin/pyright-langserver": "",
      "r/packages/w/src/x.py": "",
      "r/packages/w/y.ts": "",
      "r/tools/run": "",
      "node_modules/.bin/bash-language-server": "",
      "node_modules/typescript/package.json": manifest("5.9.3"),
    });
    const repository = join(base, "r");
    const root = join(repository, "packages/w");
    symlinkSync(
      "../../tools/run",
      join(repository, "node_modules/.bin/typescript-language-server"),
    );
    chmodSync(join(repository, "tools/run"), 0o755);
    const place = { roots: [root], repositories: [repository], searchPath: undefined };
    const found = findServer(join(root, "src/x.py"), place);
    expect(found).toMatchObject({
      root,
      program: { path: join(repository, "node_modules/.bin/pyright-langserver") },
      reads: [repository, join(base, "node_modules")],
      hides: [join(repository, ".git")],
    });
    expect(findServer(join(root, "y.ts"), place).program.options).not.toHaveProperty(
      "tsserver.path",
    );
    expect(() => findServer(join(root, "z.sh"), place)).toThrow(/no language server for shell/u);
    expect(() => findServer(join(root, "x.py"), { ...place, repositories: [] })).toThrow(
      /no language server for Python/u,
    );
  });

  it("is none outside the workspace", () => {
    const base = makeTree({ "w/x.ts": "", "y.ts": "" });
    expect(() =>
      findServer(join(base, "y.ts"), { roots: [join(base, "w")], searchPath: undefined }),
    ).toThrow(/outside the workspace/u);
  });
});

describe("the table of languages", () => {
  it("has every kind of file once, and a way to get a server for it", () => {
    const names = languageTable.flatMap(({ files }) => Object.keys(files));
    expect(new Set(names).size).toBe(names.length);
    for (const { servers, install, markers } of languageTable) {
      expect(servers.length).toBeGreaterThan(0);
      expect(install).not.toBe("");
      expect(markers.every((group) => group.length > 0)).toBe(true);
    }
  });

  it.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
    ["a link to another manifest", (path: string) => symlinkSync("../../other.json", path)],
  ])("does not depend on a compiler whose manifest is %s", (_what, plant) => {
    const base = makeTree({
      "w/x.ts": "",
      "w/other.json": manifest("7.0.0"),
      "w/node_modules/typescript/lib/tsserver.js": "",
      "bin/typescript-language-server": "",
    });
    plant(join(base, "w/node_modules/typescript/package.json"));
    const place = { roots: [join(base, "w")], searchPath: join(base, "bin") };
    const { program } = findServer(join(base, "w/x.ts"), place);
    expect(program.path).toBe(join(base, "bin/typescript-language-server"));
    expect(JSON.stringify(program.options)).not.toContain("tsserver.js");
  });
});
