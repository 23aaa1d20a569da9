import { join } from "node:path";
import { expect } from "vitest";
import { type OpenAmp, resultOf } from "./open-amp.ts";
import type { Row } from "./row.ts";

const tree = [
  "package.json",
  "src/a.ts",
  "src/app/main.ts",
  "src/app/main.test.js",
  "src/UPPER/b.ts",
  "lib/x.json",
  "index.js",
];

async function globbed({ put, call, root }: OpenAmp, filePattern: string): Promise<string[]> {
  for (const path of tree) put(path, "");
  const result = resultOf<{ files: string[] }>(await call("glob", { filePattern }));
  return result.files.map((file) => file.slice(root.length + 1));
}

/** What `glob` and `Grep` do. */
export const searchRows: readonly Row[] = [
  ...(
    [
      ["489", "**/*.js", ["index.js", "src/app/main.test.js"]],
      ["490", "src/**/*.ts", ["src/UPPER/b.ts", "src/a.ts", "src/app/main.ts"]],
      ["491", "*.json", ["package.json"]],
      ["492", "**/*test*", ["src/app/main.test.js"]],
      [
        "493",
        "**/*.{js,ts}",
        ["index.js", "src/UPPER/b.ts", "src/a.ts", "src/app/main.test.js", "src/app/main.ts"],
      ],
      ["494", "src/[a-z]*/*.ts", ["src/app/main.ts"]],
    ] as const
  ).map(
    ([line, pattern, files]): Row => ({
      lines: `001:${line}`,
      says: `the pattern ${pattern}`,
      holds: async (amp) => {
        expect(await globbed(amp, pattern)).toEqual(files);
      },
    }),
  ),
  {
    lines: "001:478-484,523-537",
    says: "glob gives absolute paths and counts what remains",
    holds: async ({ root, put, call }) => {
      for (const name of ["a", "b", "c", "d"]) put(name, "");
      expect(await call("glob", { filePattern: "*", limit: 2, offset: 1 })).toEqual({
        status: "done",
        result: { files: [join(root, "b"), join(root, "c")], remaining: 1 },
      });
    },
  },
  {
    lines: "001:505,523-526",
    says: "glob with the limit 0 gives nothing and counts all",
    holds: async ({ put, call }) => {
      for (const name of ["a", "b", "c"]) put(name, "");
      expect(await call("glob", { filePattern: "*", limit: 0 })).toEqual({
        status: "done",
        result: { files: [], remaining: 3 },
      });
    },
  },
  {
    lines: "001:499",
    says: "glob respects .gitignore, also where the pattern names an ignored file",
    holds: async ({ root, put, call }) => {
      put(".gitignore", "out/\n*.log\n");
      for (const path of ["out/a.js", "b.log", "c.js"]) put(path, "");
      expect(await call("glob", { filePattern: "**/*" })).toMatchObject({
        result: { files: [join(root, "c.js")] },
      });
      expect(await call("glob", { filePattern: "b.log" })).toMatchObject({
        result: { files: [], remaining: 0 },
      });
    },
  },
  {
    lines: "001:500,506",
    says: "glob returns 1,000 files by default",
    holds: async ({ put, call }) => {
      for (let at = 0; at < 1003; at++) put(`f/${at}`, "");
      const result = resultOf<{ files: string[]; remaining: number }>(
        await call("glob", { filePattern: "f/*" }),
      );
      expect(result.files).toHaveLength(1000);
      expect(result.remaining).toBe(3);
    },
  },
  {
    lines: "001:576",
    says: "Grep gives path, line and text",
    holds: async ({ put, call }) => {
      put("path/file.ts", `${"\n".repeat(41)}  matching line content\n`);
      expect(await call("Grep", { pattern: "matching" })).toEqual({
        status: "done",
        result: ["path/file.ts:42:   matching line content"],
      });
    },
  },
  {
    lines: "001:581-587,603,636-643",
    says: "no results is no error",
    holds: async ({ put, call }) => {
      put("a", "x\n");
      expect(await call("Grep", { pattern: "nowhere" })).toEqual({
        status: "done",
        result: [
          "No results found.",
          "If you meant to search for a literal string, run Grep again with literal:true.",
        ],
      });
    },
  },
  {
    lines: "001:592,614",
    says: "10 matches of one file",
    holds: async ({ put, call }) => {
      put("a", "x\n".repeat(30));
      put("b", "x\n".repeat(3));
      const result = resultOf<string[]>(await call("Grep", { pattern: "x" }));
      expect(result.filter((line) => line.startsWith("a:"))).toHaveLength(10);
      expect(result.filter((line) => line.startsWith("b:"))).toHaveLength(3);
    },
  },
  {
    lines: "001:593,602,654-660",
    says: "200 characters of a line",
    holds: async ({ put, call }) => {
      put("a", `${"x".repeat(1000)}\n`);
      const result = resultOf<string[]>(await call("Grep", { pattern: "x" }));
      expect(result).toEqual([`${`a:1: ${"x".repeat(1000)}`.slice(0, 200)}...`]);
    },
  },
  {
    lines: "001:594,601,652",
    says: "100 matches in all",
    holds: async ({ put, call }) => {
      for (let at = 0; at < 15; at++) put(`f${at}`, "x\n".repeat(10));
      const result = resultOf<string[]>(await call("Grep", { pattern: "x" }));
      expect(result).toHaveLength(100);
    },
  },
  {
    lines: "001:599,616-617",
    says: "ignores case by default",
    holds: async ({ put, call }) => {
      put("a", "Hello\nhello\n");
      expect(await call("Grep", { pattern: "hello" })).toMatchObject({
        result: ["a:1: Hello", "a:2: hello"],
      });
      expect(await call("Grep", { pattern: "hello", caseSensitive: true })).toMatchObject({
        result: ["a:2: hello"],
      });
    },
  },
  {
    lines: "001:600",
    says: "the syntax is Rust's, in which braces are escaped",
    holds: async ({ put, call }) => {
      put("a", "f() {}\naaa\n");
      expect(await call("Grep", { pattern: "\\{\\}" })).toMatchObject({ result: ["a:1: f() {}"] });
      expect(await call("Grep", { pattern: "a{3}" })).toMatchObject({ result: ["a:2: aaa"] });
    },
  },
  {
    lines: "001:564-567,619-620",
    says: "a literal is no expression",
    holds: async ({ put, call }) => {
      put("a", "a.c\nabc\n");
      expect(await call("Grep", { pattern: "a.c", literal: true })).toMatchObject({
        result: ["a:1: a.c"],
      });
    },
  },
  {
    lines: "001:552-559",
    says: "path and glob exclude each other; each narrows the search",
    holds: async ({ root, put, call }) => {
      put("src/a.ts", "x\n");
      put("src/b.js", "x\n");
      put("lib/c.ts", "x\n");
      expect(await call("Grep", { pattern: "x", path: join(root, "src") })).toMatchObject({
        result: ["src/a.ts:1: x", "src/b.js:1: x"],
      });
      expect(await call("Grep", { pattern: "x", path: join(root, "src/b.js") })).toMatchObject({
        result: ["src/b.js:1: x"],
      });
      expect(await call("Grep", { pattern: "x", glob: "*.ts" })).toMatchObject({
        result: ["lib/c.ts:1: x", "src/a.ts:1: x"],
      });
      expect(await call("Grep", { pattern: "x", path: root, glob: "*.ts" })).toMatchObject({
        status: "error",
        error: { errorCode: "invalid-arguments" },
      });
    },
  },
  {
    lines: "001:645-649",
    says: "an expression that is none is an error",
    holds: async ({ put, call }) => {
      put("a", "x\n");
      expect(await call("Grep", { pattern: "(" })).toMatchObject({
        status: "error",
        error: { message: expect.stringMatching(/^ripgrep exited with code 2/u) },
      });
    },
  },
];
