import type { FileSystem, FoundText, TextQuery } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { openScope } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

/** How the files of every computer are searched. */
export function describeSearching(surface: string, create: CreateComputer): void {
  const open = (files: Readonly<Record<string, string>> = {}) => openWorkspace(create(files));

  describe(`finding files (${surface})`, () => {
    const glob = async (files: FileSystem, pattern: string, directory = "."): Promise<string[]> => {
      const root = files.resolve(".");
      const found = await files.findFiles({ directory, pattern, limit: 100 });
      expect(found.total).toBe(found.files.length);
      return found.files.map((path) => path.slice(root.length + 1));
    };

    it.each([
      ["*.ts", ["a.ts"]],
      ["**/*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
      ["./**/*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
      ["/src/*.ts", ["src/b.ts"]],
      ["src/**", ["src/b.ts", "src/deep/c.ts", "src/deep/d.js"]],
      ["src/", ["src/b.ts", "src/deep/c.ts", "src/deep/d.js"]],
      ["src/**/*.{ts,js}", ["src/b.ts", "src/deep/c.ts", "src/deep/d.js"]],
      ["{src/deep,.}/*.ts", ["a.ts", "src/deep/c.ts"]],
      ["s[a-z]c/?.ts", ["src/b.ts"]],
      ["**/deep/**/c.ts", ["src/deep/c.ts"]],
      ["src", []],
      ["**/*.md", []],
    ])("finds what fits %s", async (pattern, expected) => {
      const { files } = open({
        "a.ts": "",
        "src/b.ts": "",
        "src/deep/c.ts": "",
        "src/deep/d.js": "",
      });
      expect(await glob(files, pattern)).toEqual(expected);
    });

    it("gives paths in the order of their characters", async () => {
      const { files } = open({ "a/b": "", "a.b": "", "a-b": "", a0: "", B: "", "a/B": "", ab: "" });
      expect(await glob(files, "**")).toEqual(["B", "a-b", "a.b", "a/B", "a/b", "a0", "ab"]);
    });

    it("gives a part, and tells how many there are", async () => {
      const { files, root } = open({ a: "", b: "", c: "", d: "" });
      const query = { directory: ".", pattern: "*", limit: 2, offset: 1 };
      expect(await files.findFiles(query)).toEqual({ files: [`${root}/b`, `${root}/c`], total: 4 });
    });

    it("takes a pattern that names the directory", async () => {
      const { files, root } = open({ "src/a.ts": "" });
      expect(await glob(files, `${root}/src/*.ts`)).toEqual(["src/a.ts"]);
      expect(await glob(files, `${root}/src/*.ts`, "src")).toEqual(["src/a.ts"]);
    });

    it("leaves out what is ignored, also where the pattern names it", async () => {
      const { files } = open({
        ".git/HEAD": "",
        ".gitignore": "dist/\n*.log\n!keep.log\n",
        "dist/a.js": "",
        "a.log": "",
        "keep.log": "",
        "src/.gitignore": "/b.ts",
        "src/b.ts": "",
        "src/c/b.ts": "",
      });
      expect(await glob(files, "**")).toEqual(["keep.log", "src/c/b.ts"]);
      expect(await glob(files, "dist/a.js")).toEqual([]);
      expect(await glob(files, "a.log")).toEqual([]);
    });

    it("finds what is in an ignored directory if that is asked for", async () => {
      const { files } = open({ ".git/HEAD": "", ".gitignore": "dist/", "dist/a.js": "" });
      expect(await glob(files, "*", "dist")).toEqual(["dist/a.js"]);
    });

    it("heeds .gitignore and .ignore outside of repositories too", async () => {
      const { files } = open({ ".gitignore": "a", ".ignore": "b", a: "", b: "", c: "" });
      expect(await glob(files, "*")).toEqual(["c"]);
    });

    it("finds hidden files only by patterns that spell the dot", async () => {
      const { files } = open({
        ".github/workflows/a.yml": "",
        ".github/.b.yml": "",
        "src/.eslintrc.json": "",
        "c.yml": "",
      });
      expect(await glob(files, "**/*.yml")).toEqual(["c.yml"]);
      expect(await glob(files, ".github/**")).toEqual([".github/workflows/a.yml"]);
      expect(await glob(files, ".github/.*")).toEqual([".github/.b.yml"]);
      expect(await glob(files, "**/.eslintrc*")).toEqual(["src/.eslintrc.json"]);
    });

    it("finds hidden files that an ignore file takes back in", async () => {
      const { files } = open({ ".ignore": "!.x", ".x": "", ".y": "" });
      expect(await glob(files, "*")).toEqual([".x"]);
    });

    it("leaves out secrets under every name", async () => {
      const { files } = open({
        ".env": "",
        "a/.ENV.local": "",
        id_rsa: "",
        "server.pem": "",
        ".aws/config": "",
        "\uFF0Eenv": "",
        "b.txt": "",
      });
      for (const pattern of ["**", "**/.*", ".env", "**/.E*", "id_*", ".aws/*", "\uFF0E*"]) {
        expect(await glob(files, pattern)).toEqual(pattern === "**" ? ["b.txt"] : []);
      }
    });

    it("leaves out what the call may not read, and what a rule denies", async () => {
      const { computer } = open({ "src/a.ts": "", "src/b.js": "", "src/c.ts": "", "d.ts": "" });
      const { files } = openScope(
        computer,
        { fs: { read: ["src", "src/*.ts"] } },
        { isDenied: (path) => path.endsWith("/c.ts") },
      );
      expect(await glob(files, "**", "src")).toEqual(["src/a.ts"]);
      await expect(
        files.findFiles({ directory: ".", pattern: "*", limit: 1 }),
      ).rejects.toMatchObject({ code: "out-of-scope" });
    });

    it("sees at once what was written", async () => {
      const { files } = open({ ".git/HEAD": "", "a.ts": "" });
      expect(await glob(files, "**")).toEqual(["a.ts"]);
      await files.write("b/c.ts", "", { parents: true });
      expect(await glob(files, "**")).toEqual(["a.ts", "b/c.ts"]);
      await files.write(".gitignore", "a.ts\n");
      expect(await glob(files, "**")).toEqual(["b/c.ts"]);
      await files.write(".gitignore", "c.ts\n");
      expect(await glob(files, "**")).toEqual(["a.ts"]);
      await files.remove("b/c.ts");
      await files.remove(".gitignore");
      expect(await glob(files, "**")).toEqual(["a.ts"]);
    });

    it("says what is wrong with the directory or the pattern", async () => {
      const { files } = open({ "a.ts": "" });
      const ask = (directory: string, pattern: string) =>
        expect(files.findFiles({ directory, pattern, limit: 1 })).rejects;
      await ask("nowhere", "*").toMatchObject({ code: "not-found" });
      await ask("a.ts", "*").toMatchObject({ code: "failed" });
      await ask("..", "*").toMatchObject({ code: "out-of-scope" });
      await ask("/etc", "*").toMatchObject({ code: "out-of-scope" });
      await ask("a\0b", "*").toMatchObject({ code: "invalid-arguments" });
      await ask(".", "../*").toMatchObject({ code: "invalid-arguments" });
      await ask(".", "[z-a]").toMatchObject({ code: "invalid-arguments" });
    });
  });

  describe(`finding text (${surface})`, () => {
    const grep = (
      files: FileSystem,
      pattern: string,
      more: Partial<TextQuery> = {},
    ): Promise<FoundText> =>
      files.findText({
        pattern,
        path: ".",
        literal: false,
        caseSensitive: true,
        limit: 100,
        lineLength: 80,
        ...more,
      });
    const lines = async (...query: Parameters<typeof grep>): Promise<string[]> => {
      const root = query[0].resolve(".");
      const { matches } = await grep(...query);
      return matches.map(
        ({ path, line, text, context }) =>
          `${path.slice(root.length + 1)}${context ? "-" : ":"}${line}${context ? "-" : ":"}${text}`,
      );
    };

    it("finds lines, by path and number", async () => {
      const { files } = open({
        "b.ts": "x\nfoo 1\n",
        "a/c.ts": "foo 2\r\ny\nfoo 3",
        "a.ts": "foo 4",
      });
      expect(await lines(files, "fo+ \\d")).toEqual([
        "a.ts:1:foo 4",
        "a/c.ts:1:foo 2",
        "a/c.ts:3:foo 3",
        "b.ts:2:foo 1",
      ]);
    });

    it("finds nothing without complaint", async () => {
      const { files } = open({ a: "x" });
      expect(await grep(files, "y")).toEqual({ matches: [], isCut: false });
    });

    it("takes a literal text as it is, whatever it looks like", async () => {
      const { files } = open({ a: "a.b(c\n--files\n$1\n", b: "axb(c\n" });
      expect(await lines(files, "a.b(c", { literal: true })).toEqual(["a:1:a.b(c"]);
      expect(await lines(files, "--files", { literal: true })).toEqual(["a:2:--files"]);
      expect(await lines(files, "--files")).toEqual(["a:2:--files"]);
      expect(await lines(files, "$1", { literal: true })).toEqual(["a:3:$1"]);
    });

    it("can ignore letter case", async () => {
      const { files } = open({ a: "Straße\nSTRASSE\n" });
      expect(await lines(files, "stra", { caseSensitive: false })).toHaveLength(2);
      expect(await lines(files, "stra")).toEqual([]);
    });

    it("shows lines near a match", async () => {
      const { files } = open({ a: "1\n2\nfoo\n4\n5\n6\nfoo\n" });
      expect(await lines(files, "foo", { context: 1 })).toEqual([
        "a-2-2",
        "a:3:foo",
        "a-4-4",
        "a-6-6",
        "a:7:foo",
      ]);
    });

    it("clips long lines between characters", async () => {
      const { files, root } = open({ a: `${"ä😀".repeat(50)}foo`, b: "foo" });
      const { matches } = await grep(files, "foo", { lineLength: 3 });
      expect(matches).toEqual([
        { path: `${root}/a`, line: 1, text: "ä😀ä", clipped: true },
        { path: `${root}/b`, line: 1, text: "foo" },
      ]);
    });

    it("stops at the limit and says so", async () => {
      const { files } = open({ a: "foo\n".repeat(10), b: "foo\n".repeat(10) });
      const cut = await grep(files, "foo", { limit: 5 });
      expect([cut.matches.length, cut.isCut]).toEqual([5, true]);
      const whole = await grep(files, "foo", { limit: 20 });
      expect([whole.matches.length, whole.isCut]).toEqual([20, false]);
      const few = await grep(files, "foo", { limitPerFile: 2 });
      expect([few.matches.length, few.isCut]).toEqual([4, false]);
    });

    it.each([
      ["*.ts", ["a.ts", "src/b.ts"]],
      ["*.{ts,js}", ["a.ts", "src/b.ts", "src/c.js"]],
      ["src/*", ["src/b.ts", "src/c.js"]],
      ["/a.ts", ["a.ts"]],
      ["!*.ts", ["src/c.js"]],
      ["!src", ["a.ts"]],
      ["src/", ["src/b.ts", "src/c.js"]],
      ["dist/*", []],
      [".hid/*", [".hid/e.ts"]],
    ])("searches only files that fit %s", async (glob, expected) => {
      const { files } = open({
        ".git/HEAD": "foo",
        ".gitignore": "dist",
        "a.ts": "foo",
        "src/b.ts": "foo",
        "src/c.js": "foo",
        "dist/d.ts": "foo",
        ".hid/e.ts": "foo",
        ".f.ts": "foo",
      });
      const { matches } = await grep(files, "foo", { glob });
      const root = files.resolve(".");
      expect(matches.map(({ path }) => path.slice(root.length + 1))).toEqual(expected);
    });

    it("searches a file by its name, ignored or hidden", async () => {
      const { files } = open({
        ".git/HEAD": "",
        ".gitignore": "*.log",
        "a.log": "foo",
        ".b": "foo",
        "c [1] ": "foo",
      });
      expect(await lines(files, "foo", { path: "a.log" })).toEqual(["a.log:1:foo"]);
      expect(await lines(files, "foo", { path: ".b" })).toEqual([".b:1:foo"]);
      expect(await lines(files, "foo", { path: "c [1] " })).toEqual(["c [1] :1:foo"]);
    });

    it("leaves out secrets, and refuses them by name, there or not", async () => {
      const { files } = open({ ".env": "foo", id_rsa: "foo", "a.txt": "foo" });
      expect(await lines(files, "foo")).toEqual(["a.txt:1:foo"]);
      expect(await lines(files, "foo", { glob: "{.env,id_*}" })).toEqual([]);
      for (const path of [".env", "id_rsa", ".env.local", "x/.npmrc"]) {
        await expect(grep(files, "foo", { path })).rejects.toMatchObject({ code: "secret-file" });
      }
    });

    it("counts only what may be shown", async () => {
      const { computer } = open({
        "a/1": "foo\nfoo",
        "a/2": "foo",
        "a/3": "foo\nfoo",
        "b/4": "foo",
      });
      const { files } = openScope(
        computer,
        { fs: { read: ["a", "a/1", "a/2"] } },
        { isDenied: (path) => path.endsWith("/1") },
      );
      const { matches, isCut } = await grep(files, "foo", { path: "a", limit: 1 });
      expect([matches.length, matches[0]?.path.endsWith("a/2"), isCut]).toEqual([1, true, false]);
      await expect(grep(files, "foo")).rejects.toMatchObject({ code: "out-of-scope" });
    });

    it("takes a NUL for the sign of a binary file", async () => {
      const { files } = open({ a: "foo\0foo", b: "foo" });
      expect(await lines(files, "foo")).toEqual(["b:1:foo"]);
    });

    it("says what is wrong with the pattern or the path", async () => {
      const { files } = open({ a: "foo" });
      const refused = { code: "invalid-arguments" };
      await expect(grep(files, "fo(o")).rejects.toMatchObject(refused);
      await expect(grep(files, "a\nb", { literal: true })).rejects.toMatchObject(refused);
      await expect(grep(files, "a\0b", { literal: true })).rejects.toMatchObject(refused);
      await expect(grep(files, "x", { path: "nowhere" })).rejects.toMatchObject({
        code: "not-found",
      });
      await expect(grep(files, "x", { path: ".." })).rejects.toMatchObject({
        code: "out-of-scope",
      });
      await expect(grep(files, "x", { glob: "../*" })).rejects.toMatchObject(refused);
    });

    it("sees at once what was written, also at the same size", async () => {
      const { files } = open({ a: "one" });
      expect(await lines(files, "one")).toEqual(["a:1:one"]);
      await files.write("a", "two");
      expect(await lines(files, "one")).toEqual([]);
      expect(await lines(files, "two")).toEqual(["a:1:two"]);
    });
  });
}
