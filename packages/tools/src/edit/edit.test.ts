import { type FileSystem, ToolError } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDiff } from "../test-support/apply-diff.ts";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { findCodec } from "../text/find-codec.ts";
import { openText } from "../text/text-document.ts";
import { type EditArguments, edit } from "./edit.ts";

describe.each(computers)("edit %s", (_, make) => {
  const open = (files: Files, overrides = {}) => openRuntime(make(files), edit, overrides);
  const run = (runtime: ReturnType<typeof open>, args: Omit<EditArguments, "path">) =>
    edit.execute({ path: "a", ...args }, runtime);

  it("replaces the one place and shows what it did", async () => {
    const computer = make({ "src/a.ts": "one\ntwo\nthree\n" });
    const runtime = openRuntime(computer, edit);
    const args = { path: "src/a.ts", old_string: "two", new_string: "2\n2.5" };
    expect(await edit.execute(args, runtime)).toEqual({
      path: `${computer.roots[0]}/src/a.ts`,
      diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2.5\n three\n",
      line_range: [2, 3],
      replacements: 1,
      strategy: "exact",
    });
    expect(new TextDecoder().decode(await runtime.fs.read("src/a.ts"))).toBe(
      "one\n2\n2.5\nthree\n",
    );
  });

  it("says which rung matched", async () => {
    const data = await run(open({ a: "\tif (x) {\n\t\ty();\n\t}\n" }), {
      old_string: "  if (x) {\n    y();\n  }",
      new_string: "  z();",
    });
    expect(data).toMatchObject({
      strategy: "indentation",
      message: expect.stringContaining("diff"),
    });
    expect(data.diff).toContain("+\tz();\n");
  });

  it("replaces all places from left to right", async () => {
    const runtime = open({ a: "aaaaa b\naa\n" });
    const data = await run(runtime, { old_string: "aa", new_string: "$&", replace_all: true });
    expect(data).toMatchObject({ replacements: 3, line_range: [1, 2] });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("$&$&a b\n$&\n");
  });

  it("replaces all places of a looser rung, each in its own way", async () => {
    const runtime = open({ a: "  a \r\n  b\r\n\n  a\n  b\t\n" });
    const data = await run(runtime, { old_string: "a\nb\n", new_string: "x\n", replace_all: true });
    expect(data).toMatchObject({ replacements: 2, strategy: "indentation" });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("  x\r\n\n  x\n");
  });

  it.each([
    ["a file that is not there", { path: "b", old_string: "x", new_string: "y" }, "not-found"],
    ["a directory", { path: "d", old_string: "x", new_string: "y" }, "failed"],
    ["a path outside", { path: "/etc/passwd", old_string: "x", new_string: "y" }, "out-of-scope"],
    ["nothing to look for", { path: "a", old_string: "", new_string: "y" }, "invalid-arguments"],
    ["nothing to change", { path: "a", old_string: "x", new_string: "x" }, "invalid-arguments"],
    ["half a character", { path: "a", old_string: "\ud83d", new_string: "x" }, "invalid-arguments"],
    ["half a new character", { path: "a", old_string: "x", new_string: "\ud83d" }, "failed"],
    ["a binary file", { path: "bin", old_string: "x", new_string: "y" }, "binary"],
    ["an ambiguous place", { path: "a", old_string: "aba", new_string: "y" }, "conflict"],
    ["text that is not there", { path: "a", old_string: "xyz", new_string: "y" }, "conflict"],
    ["a place that has the new text", { path: "s", old_string: "q ", new_string: "q" }, "conflict"],
  ])("refuses %s and leaves the file alone", async (_case, args, code) => {
    const files = { a: "x 😀 ababa\n", "d/x": "", bin: Uint8Array.of(0x78, 0), s: "q\n" };
    const runtime = open(files);
    await expect(edit.execute(args, runtime)).rejects.toMatchObject({ code });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe(files.a);
  });

  it("names the places of an ambiguous text", async () => {
    const request = run(open({ a: "x\ny\nx\n" }), { old_string: "x", new_string: "z" });
    await expect(request).rejects.toThrow(/^old_string occurs 2 times in .*\/a: lines 1, 3\./u);
  });

  it("shows the nearest place of a text that is not there", async () => {
    const request = run(open({ a: "const one = 1;\nconst two = 2;\n" }), {
      old_string: "const one = 1;\nconst two = 3;",
      new_string: "z",
    });
    await expect(request).rejects.toThrow(
      /> 2: const two = 2;\n {2}old_string has: const two = 3;/u,
    );
  });

  it("shows the fresh text if the file changed after it was read", async () => {
    const runtime = open({ a: "one\ntwo\nthree\n" });
    const request = run(withChange(runtime, "zero\none\nTWO\nthree\n"), {
      old_string: "two",
      new_string: "2",
    });
    await expect(request).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("1: zero\n2: one\n3: TWO\n4: three"),
    });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("zero\none\nTWO\nthree\n");
  });

  it("writes nothing when it is aborted", async () => {
    const runtime = open({ a: "x" }, { signal: AbortSignal.abort() });
    await expect(run(runtime, { old_string: "x", new_string: "y" })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("x");
  });

  const marks: readonly (readonly [encoding: string, mark: readonly number[], word: string])[] = [
    ["utf-8", [], "naïve 本 😀"],
    ["utf-8", [0xef, 0xbb, 0xbf], "naïve 本 😀"],
    ["utf-16le", [0xff, 0xfe], "naïve 本 😀"],
    ["utf-16be", [0xfe, 0xff], "naïve 本 😀"],
    ["utf-16le", [], "naïve 本 😀"],
    ["windows-1252", [], "crème brûlée à l’été"],
    ["shift_jis", [], "これはテストです。"],
    ["euc-jp", [], "これはテストです。"],
    ["gb18030", [], "这是一个测试，你好。"],
    ["big5", [], "這是一個測試，你好。"],
    ["euc-kr", [], "이것은 테스트입니다."],
  ];
  const endings = [
    ["\n", "\n"],
    ["\r\n", "\r\n"],
    ["\r\n", "\n"],
    ["\n", "\r\n"],
  ] as const;
  const matrix = marks.flatMap((mark) => endings.map((ending) => [...mark, ending] as const));

  it.each(matrix)("keeps %s %j %s %j", async (...[encoding, mark, word, [one, other]]) => {
    const text = (line: string): string =>
      `// ${word}${one}first line${other}${line}${one}${word} last line${other}end`;
    const encode = (content: string): Uint8Array =>
      Uint8Array.of(...mark, ...(findCodec(encoding).encode(content) as Uint8Array));
    const runtime = open({ a: encode(text(`second ${word}`)) });
    const data = await run(runtime, {
      old_string: `first line\nsecond ${word}\n`,
      new_string: `first ${word} line\nthe second\n`,
    });
    expect(data.encoding).toBe(encoding === "utf-8" ? undefined : encoding);
    const expected = text("the second").replace("first line", `first ${word} line`);
    expect([...(await runtime.fs.read("a"))]).toEqual([...encode(expected)]);
  });

  const runtime = () => open({ "AGENTS.md": "", a: "one\ntwo\none\n", b: "x\n" });
  describeToolContract(edit, [
    {
      name: "a replacement",
      arguments: { path: "a", old_string: "two", new_string: "2" },
      runtime,
      expect: { data: { replacements: 1, strategy: "exact", line_range: [2, 2] } },
    },
    {
      name: "every place",
      arguments: { path: "a", old_string: "one", new_string: "1", replace_all: true },
      runtime,
      expect: { data: { replacements: 2 } },
    },
    {
      name: "an ambiguous place",
      arguments: { path: "a", old_string: "one", new_string: "1" },
      runtime,
      expect: { error: "conflict" },
    },
    {
      name: "no such file",
      arguments: { path: "none", old_string: "one", new_string: "1" },
      runtime,
      expect: { error: "not-found" },
    },
    {
      name: "no new text",
      arguments: { path: "a", old_string: "x" },
      expect: { error: "invalid-arguments" },
    },
  ]);
});

describe("edit, whatever it gets", () => {
  const [, make] = computers[0] as (typeof computers)[0];
  const units = [
    "a",
    "b",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "é",
    "“",
    '"',
    "\\n",
    "\\",
    "$&",
    "本",
    "😀",
  ];
  const texts = fc.string({ unit: fc.constantFrom(...units), maxLength: 24 });
  const encodings = fc.constantFrom("utf-8", "utf-16le", "windows-1252", "shift_jis", "gb18030");

  it("leaves the old bytes, or makes what its diff says and nothing else", async () => {
    const request = fc.record({ old_string: texts, new_string: texts, replace_all: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(texts, encodings, request, async (text, encoding, args) => {
        const body = findCodec(encoding).encode(text);
        const content = body instanceof Uint8Array ? body : new TextEncoder().encode(text);
        const runtime = openRuntime(make({ a: content }), edit);
        const outcome = await edit.execute({ path: "a", ...args }, runtime).catch((error) => {
          if (ToolError.isInstance(error)) return undefined;
          throw error;
        });
        const after = await runtime.fs.read("a");
        if (outcome === undefined) {
          expect(after).toEqual(content);
          return;
        }
        const document = openText(content, "/w/a");
        const { text: before } = document;
        const expected = applyDiff(before, outcome.diff);
        // The encoding is not detected again: what was changed may have been what told it.
        expect(after).toEqual(document.splice([{ start: 0, end: before.length, text: expected }]));
        expect(after).not.toEqual(content);
        const isPlain = !`${before}${args.new_string}`.includes("\r");
        const isLiteral = outcome.strategy === "exact" && outcome.message === undefined;
        if (isLiteral && isPlain && !args.replace_all) {
          expect(expected).toBe(before.split(args.old_string).join(args.new_string));
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("always makes an edit whose text is there exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(20), fc.nat(10), async (text, at, length) => {
        const oldText = text.slice(at, at + length);
        const isOnce = text.indexOf(oldText) === text.lastIndexOf(oldText);
        fc.pre(oldText !== "" && oldText.isWellFormed() && isOnce && !text.includes("\r"));
        const runtime = openRuntime(make({ a: text }), edit);
        const args = { path: "a", old_string: oldText, new_string: "$1 new" };
        const outcome = await edit.execute(args, runtime);
        expect(outcome).toMatchObject({ strategy: "exact" });
        const start = text.indexOf(oldText);
        const replaceWith = (now: string): string =>
          `${text.slice(0, start)}${now}${text.slice(start + oldText.length)}`;
        // The result says so where a line break was kept.
        const allowed = outcome.message === undefined ? ["$1 new"] : ["$1 new\n", "\n$1 new"];
        const after = new TextDecoder().decode(await runtime.fs.read("a"));
        expect(allowed.map(replaceWith)).toContain(after);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** A runtime whose file gets another content right after it was read. */
function withChange<R extends { readonly fs: FileSystem }>(runtime: R, content: string): R {
  let isFirst = true;
  const fs: FileSystem = Object.create(runtime.fs, {
    load: {
      value: async (path: string) => {
        const loaded = await runtime.fs.load(path);
        if (isFirst) await runtime.fs.write(path, content);
        isFirst = false;
        return loaded;
      },
    },
  });
  return { ...runtime, fs };
}
