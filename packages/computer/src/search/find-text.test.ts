import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TextQuery } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canPinThroughProc } from "../disk/proc-pinning.ts";
import { askRipgrep } from "../test-support/ask-ripgrep.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { randomContent } from "../test-support/random-content.ts";
import { swapDoor } from "../test-support/swap-door.ts";

describe("finding text on a disk", () => {
  const open = (files: Readonly<Record<string, string>> = {}) => {
    const workspace = createDiskWorkspace(files);
    const { files: fs } = openScope(workspace.computer);
    const ask = (pattern: string, more: Partial<TextQuery> = {}) =>
      fs.findText({
        pattern,
        path: ".",
        literal: false,
        caseSensitive: true,
        limit: 1000,
        lineLength: 500,
        ...more,
      });
    return { ...workspace, fs, ask };
  };

  it("finds the lines that ripgrep finds, in text of every kind", async () => {
    const { root, fs } = open();
    const pattern = fc.constantFrom(
      "foo",
      "o b",
      "^f",
      "r$",
      "[fä]o",
      "\\w+",
      "\\bfoo\\b",
      "",
      "ä",
      "(?i)FOO",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(randomContent, randomContent, randomContent),
        fc.record({ pattern, caseSensitive: fc.boolean(), context: fc.nat(2) }),
        async (contents, query) => {
          for (const [index, content] of contents.entries()) {
            writeFileSync(join(root, `f${index}`), content);
          }
          const { matches } = await fs.findText({
            ...query,
            path: ".",
            literal: false,
            limit: 10_000,
            lineLength: 100_000,
          });
          const lines = matches.map(
            ({ path, line, text, context }) =>
              `${path.slice(root.length + 1)}\0${line}${context ? "-" : ":"}${text}`,
          );
          expect(lines).toEqual(searchWithRipgrep(query, root));
        },
      ),
      { numRuns: 80 },
    );
  });

  it("never follows a link out of the workspace", async () => {
    const { root, outside, ask } = open({ a: "foo" });
    writeFileSync(join(outside, "secret.txt"), "foo");
    symlinkSync(outside, join(root, "door"));
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
    expect((await ask("foo")).matches).toMatchObject([{ path: join(root, "a") }]);
    for (const path of ["door", "link.txt", "door/secret.txt"]) {
      await expect(ask("foo", { path })).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });

  it("reports lines where a link inside the workspace leads", async () => {
    const { root, ask } = open({ "src/a": "foo" });
    symlinkSync("src", join(root, "door"));
    symlinkSync("src/a", join(root, "link"));
    const expected = [{ path: join(root, "src/a"), line: 1, text: "foo" }];
    expect((await ask("foo", { path: "door" })).matches).toEqual(expected);
    expect((await ask("foo", { path: "link" })).matches).toEqual(expected);
  });

  it("does not read a secret through a link with a harmless name", async () => {
    const { root, ask } = open({ ".env": "foo" });
    symlinkSync(".env", join(root, "config.txt"));
    await expect(ask("foo", { path: "config.txt" })).rejects.toMatchObject({ code: "secret-file" });
    expect((await ask("foo")).matches).toEqual([]);
  });

  it("answers at once for pipes, sparse files and endless lines", async () => {
    const { root, ask } = open({ a: "foo" });
    spawnSync("mkfifo", [join(root, "pipe")]);
    writeFileSync(join(root, "sparse"), "");
    truncateSync(join(root, "sparse"), 20 * 1024 ** 3);
    writeFileSync(join(root, "long"), `${"foo ".repeat(5_000_000)}`);
    await expect(ask("foo", { path: "pipe" })).rejects.toMatchObject({ code: "failed" });
    expect((await ask("foo", { path: "sparse" })).matches).toEqual([]);
    const { matches } = await ask("foo", { lineLength: 7 });
    expect(matches).toEqual([
      { path: join(root, "a"), line: 1, text: "foo" },
      { path: join(root, "long"), line: 1, text: "foo foo", clipped: true },
    ]);
  });

  it("finds its way through names of every kind", async () => {
    const names = [
      "a:1:b",
      "a\nb",
      "a\\b",
      "*",
      "-e",
      "{x}",
      "ü",
      " x ",
      "./y".slice(2),
      "'\"$(z)",
    ];
    const { root, ask } = open(Object.fromEntries(names.map((name) => [`d/${name}`, "foo"])));
    const { matches } = await ask("foo");
    expect(matches.map(({ path }) => path)).toEqual(
      names.map((name) => join(root, "d", name)).sort(),
    );
    for (const name of names) {
      expect((await ask("foo", { path: `d/${name}` })).matches).toMatchObject([{ text: "foo" }]);
    }
  });

  it("runs nothing that a pattern asks for", async () => {
    const { ask } = open({ a: "--pre=touch\n-f\n" });
    for (const pattern of ["--pre=touch", "-f", "--files"]) {
      const { matches } = await ask(pattern, { literal: true });
      expect(matches).toHaveLength(pattern === "--files" ? 0 : 1);
    }
  });

  it("gives the reason why a pattern is none", async () => {
    const { ask } = open({ a: "" });
    await expect(ask("a(b")).rejects.toThrow(/"a\(b": unclosed group\. .*literal/u);
    await expect(ask("a\\nb")).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it("stops when the call is to stop", async () => {
    const { computer } = createDiskWorkspace({ a: "foo" });
    const controller = new AbortController();
    const { files } = openScope(computer, undefined, { signal: controller.signal });
    const query = { path: ".", literal: false, caseSensitive: true, limit: 1, lineLength: 9 };
    const found = files.findText({ ...query, pattern: "foo" });
    controller.abort(new Error("enough"));
    await expect(found).rejects.toThrow("enough");
    await expect(files.findText({ ...query, pattern: "foo" })).rejects.toThrow("enough");
  });

  it.skipIf(!canPinThroughProc())(
    "never shows a line from outside, however fast a directory is swapped for a link",
    async () => {
      const { root, outside, ask } = open({ "door/deep/f": "foo in" });
      mkdirSync(join(outside, "deep"));
      writeFileSync(join(outside, "deep/f"), "foo out");
      symlinkSync(outside, join(root, "two"));
      await swapDoor(root);
      const seen = new Set<string>();
      const end = performance.now() + 1500;
      while (performance.now() < end) {
        for (const { text } of (await ask("foo")).matches) seen.add(text);
      }
      expect(seen).not.toContain("foo out");
    },
  );

  function searchWithRipgrep(
    { pattern, caseSensitive, context }: Pick<TextQuery, "pattern" | "caseSensitive" | "context">,
    directory: string,
  ): string[] {
    const flags = ["--null", "--line-number", "--with-filename", "--no-context-separator"];
    const printed = askRipgrep(
      [...flags, ...(caseSensitive ? [] : ["-i"]), `-C${context}`, "-e", pattern, "--", "./"],
      { directory },
    ).toString();
    const lines = printed.split("\n").flatMap((line) => {
      const [, path, number, sign, text = ""] = /^\.\/(f\d)\0(\d+)([:-])(.*)$/su.exec(line) ?? [];
      return path === undefined ? [] : [{ path, number: Number(number), sign, text }];
    });
    return lines
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.number - b.number))
      .map(
        ({ path, number, sign, text }) => `${path}\0${number}${sign}${text.replace(/\r$/u, "")}`,
      );
  }
});
