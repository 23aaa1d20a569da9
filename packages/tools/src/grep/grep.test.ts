import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { openSession } from "../test-support/open-session.ts";
import { grep } from "./grep.ts";
import type { GrepArguments } from "./grep-arguments.ts";

describe.each(computers)("grep %s", (_, make) => {
  const search = async (files: Files, args: GrepArguments, settings = {}) => {
    const computer = make(files);
    const runtime = openRuntime(computer, grep, { settings });
    const data = await grep.execute(args, runtime);
    const root = `${computer.roots[0]}/`;
    return { ...data, lines: data.matches.map((match) => show(match, root)) };
  };
  const show = (match: { path: string; line: number; text: string }, root: string): string =>
    `${match.path.replace(root, "")}:${match.line}: ${match.text}`;

  it("gives path, number and text of every line that matches", async () => {
    const files = { "b.ts": "x\nfoo()\n", "a.ts": "foo\nbar\nfood\r\n", "c/d.md": "seafood\n" };
    const { lines, matches } = await search(files, { pattern: "foo" });
    expect(lines).toEqual(["a.ts:1: foo", "a.ts:3: food", "b.ts:2: foo()", "c/d.md:1: seafood"]);
    expect(matches[0]?.path).toMatch(/^\/.*\/a\.ts$/u);
  });

  it("tells capital letters from small ones unless told not to", async () => {
    const files = { a: "Foo\nfoo\n" };
    expect((await search(files, { pattern: "foo" })).lines).toEqual(["a:2: foo"]);
    expect((await search(files, { pattern: "foo", case_sensitive: false })).lines).toHaveLength(2);
  });

  it("treats the pattern as a regular expression, or literally", async () => {
    const files = { a: "f.o\nfoo\n" };
    expect((await search(files, { pattern: "^f.o$" })).lines).toHaveLength(2);
    expect((await search(files, { pattern: "f.o", literal: true })).lines).toEqual(["a:1: f.o"]);
  });

  it("looks only where it is told", async () => {
    const files = { "src/a.ts": "x\n", "src/b.js": "x\n", "test/a.ts": "x\n" };
    expect((await search(files, { pattern: "x", path: "src" })).lines).toHaveLength(2);
    expect((await search(files, { pattern: "x", glob: "*.ts" })).lines).toHaveLength(2);
    expect((await search(files, { pattern: "x", path: "src", glob: "*.ts" })).lines).toEqual([
      "src/a.ts:1: x",
    ]);
    expect((await search(files, { pattern: "x", path: "src/b.js" })).lines).toHaveLength(1);
  });

  it("leaves out what is ignored or secret, unless it is named and no secret", async () => {
    const files = {
      ".git/HEAD": "",
      ".gitignore": "out/\n",
      "out/a": "x\n",
      ".env": "x\n",
      b: "x\n",
    };
    expect((await search(files, { pattern: "x" })).lines).toEqual(["b:1: x"]);
    expect((await search(files, { pattern: "x", glob: "out/*" })).lines).toEqual([]);
    expect((await search(files, { pattern: "x", path: "out/a" })).lines).toEqual(["out/a:1: x"]);
  });

  it("shows the lines around", async () => {
    const { matches } = await search({ a: "1\n2\nx\n4\n5\n" }, { pattern: "x", context: 1 });
    expect(matches).toMatchObject([{ line: 3, text: "x", before: ["2"], after: ["4"] }]);
  });

  it("accepts no results as an answer, and suggests what may help", async () => {
    expect(await search({ a: "x\n" }, { pattern: "a(b)" })).toEqual({
      matches: [],
      lines: [],
      message:
        "No results. You may set literal if the pattern is meant as plain text, or set case_sensitive to false to ignore case.",
    });
    const plain = { pattern: "ab", case_sensitive: false };
    expect((await search({ a: "x\n" }, plain)).message).toBe("No results.");
  });

  it("clips long lines", async () => {
    const { matches } = await search({ a: `${"x".repeat(10_000)}\n` }, { pattern: "x" });
    expect(matches).toMatchObject([{ text: "x".repeat(500), clipped: true }]);
  });

  it("keeps to the limits of the dialect", async () => {
    const files = { a: "xyz\n".repeat(20), b: "xyz\n".repeat(20), c: "xyz\n".repeat(20) };
    const settings = { matches: 10, matches_per_file: 5, line_length: 2 };
    const { lines, truncated } = await search(files, { pattern: "x" }, settings);
    expect(lines).toHaveLength(10);
    expect(lines.every((line) => line.endsWith(": xy"))).toBe(true);
    expect(truncated).toBe(true);
  });

  it("says that there are more only where there are, whatever the dialect's limit", async () => {
    const files = { a: "x\n".repeat(300) };
    const all = await search(files, { pattern: "x" }, { matches: 300 });
    expect([all.lines.length, all.truncated]).toEqual([300, undefined]);
    const some = await search(files, { pattern: "x" }, { matches: 299 });
    expect([some.lines.length, some.truncated]).toEqual([299, true]);
  });

  it("keeps every match in the sidecar (003:135)", async () => {
    const { call, run } = openSession(make({ a: "x\n".repeat(700), b: "x\n".repeat(5) }));
    const cut = await call("grep", { pattern: "x" });
    expect(cut).toMatchObject({
      data: { message: expect.stringMatching(/^Matches 1 to 200 of 705\. .* offset to 200 /u) },
    });
    const path = cut.metadata.output_path ?? "";
    const kept = await run("grep", { pattern: '"line":', path, literal: true, offset: 600 });
    expect(kept).toMatchObject({ matches: expect.objectContaining({ length: 105 }) });
    const tail = await run("read", { path, offset: 705 });
    expect(tail).toMatchObject({ content: expect.stringContaining('b","line":5') });
  });

  it("skips as many matches as offset says", async () => {
    const files = { a: "x\n".repeat(300), b: "x\n" };
    const rest = await search(files, { pattern: "x", offset: 299 });
    expect(rest.lines).toEqual(["a:300: x", "b:1: x"]);
    expect(rest.truncated).toBeUndefined();
    const page = await search(files, { pattern: "x", offset: 50 });
    expect(page).toMatchObject({
      truncated: true,
      message: expect.stringContaining("Matches 51 to 250 of 301."),
    });
    expect(await search(files, { pattern: "x", offset: 301 })).toEqual({
      matches: [],
      lines: [],
      message: "offset skips all 301 matches. Set a smaller one.",
    });
  });

  it("says how many matches were kept where there are more", async () => {
    const { matches, message } = await search({ a: "x\n".repeat(50_001) }, { pattern: "x" });
    expect(matches).toHaveLength(50_000);
    expect(message).toMatch(
      /^Matches 1 to 200 of more than 50000; no more than 50000 were kept\./u,
    );
  });

  it("shows 200 lines and says that there are more", async () => {
    const exact = openSession(make({ a: "x\n".repeat(200) }));
    const fit = await exact.call("grep", { pattern: "x" });
    expect(fit).toMatchObject({ data: { matches: expect.objectContaining({ length: 200 }) } });
    expect(fit.metadata).not.toHaveProperty("truncated");
    const more = openSession(make({ a: "x\n".repeat(201) }));
    const cut = await more.call("grep", { pattern: "x" });
    expect(cut).toMatchObject({
      data: {
        matches: expect.objectContaining({ length: 200 }),
        truncated: true,
        message: expect.stringContaining("Narrow"),
      },
      metadata: { truncated: true, output_path: expect.any(String) },
    });
  });

  it("sees what a call before it wrote", async () => {
    const { run } = openSession(make({ a: "x\n" }));
    await run("write", { path: "b", content: "x" });
    expect(await run("grep", { pattern: "x" })).toMatchObject({
      matches: [{ line: 1 }, { line: 1 }],
    });
  });

  const runtime = () => openRuntime(make({ "a.ts": "one\n", "b.ts": "two\n" }), grep);
  describeToolContract(grep, [
    {
      name: "a match",
      arguments: { pattern: "o.e" },
      runtime,
      expect: { data: { matches: [{ line: 1, text: "one" }] } },
    },
    { name: "no match", arguments: { pattern: "q" }, runtime, expect: { data: { matches: [] } } },
    {
      name: "a file",
      arguments: { pattern: "t", path: "b.ts", literal: true, context: 2 },
      runtime,
      expect: { data: { matches: [{ text: "two" }] } },
    },
    {
      name: "a broken expression",
      arguments: { pattern: "(" },
      runtime,
      expect: { error: "invalid-arguments" },
    },
    {
      name: "a missing path",
      arguments: { pattern: "x", path: "none" },
      runtime,
      expect: { error: "not-found" },
    },
    {
      name: "a path outside",
      arguments: { pattern: "x", path: "/etc" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    {
      name: "an empty pattern",
      arguments: { pattern: "" },
      runtime,
      expect: { error: "invalid-arguments" },
    },
  ]);
});
