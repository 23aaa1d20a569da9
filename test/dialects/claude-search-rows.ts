import { join } from "node:path";
import { expect } from "vitest";
import type { Row } from "./row.ts";

/** What the dialect `claude` does to find things, and to speak with the person. */
export const claudeSearchRows: readonly Row[] = [
  {
    says: "Glob gives paths, also for a pattern that is a path",
    holds: async ({ root, put, text }) => {
      const paths = ["src/a.ts", "src/b/c.ts", "d.ts"].map((path) => put(path, ""));
      expect(await text("Glob", { pattern: "src/**/*.ts" })).toBe(paths.slice(0, 2).join("\n"));
      expect(await text("Glob", { pattern: "*.ts", path: join(root, "src") })).toBe(paths[0]);
      expect(await text("Glob", { pattern: `${root}/src/*/*.ts`, path: "null" })).toBe(paths[1]);
      expect(await text("Glob", { pattern: `${root}/d.ts` })).toBe(paths[2]);
      expect(await text("Glob", { pattern: "*.py" })).toBe("No files found");
    },
  },
  {
    says: "Glob gives all it has, and says how many more there are",
    holds: async ({ put, text }) => {
      for (let at = 0; at < 2_003; at++) put(`f/${at}`, "");
      const lines = (await text("Glob", { pattern: "f/*" })).split("\n");
      expect(lines).toHaveLength(2_001);
      expect(lines.at(-1)).toBe("[3 more files are not shown. Narrow the pattern or the path.]");
    },
  },
  {
    says: "Grep gives files unless told otherwise, also more than a page of them",
    holds: async ({ put, text }) => {
      for (let at = 100; at < 400; at++) put(`f${at}.txt`, "x\nx\n");
      put("g.ts", "X\n");
      const lines = (await text("Grep", { pattern: "x" })).split("\n");
      expect(lines).toHaveLength(252);
      expect([lines[0], lines[1]]).toEqual(["Found 300 files", "f100.txt"]);
      expect(lines.at(-1)).toBe("[50 more entries. Continue with offset 250.]");
      const rest = await text("Grep", { pattern: "x", offset: 298, head_limit: 0 });
      expect(rest).toBe("Found 300 files\nf398.txt\nf399.txt");
      expect(await text("Grep", { pattern: "x", "-i": true, type: "ts" })).toBe(
        "Found 1 file\ng.ts",
      );
      expect(await text("Grep", { pattern: "nowhere" })).toBe("No files found");
    },
  },
  {
    says: "Grep gives lines with as many around them as asked for",
    holds: async ({ put, text }) => {
      put("a.txt", "1\n2\nx\n4\n5\n6\nx\n8\n9\n");
      const content = { pattern: "x", output_mode: "content" };
      expect(await text("Grep", content)).toBe("a.txt:3:x\na.txt:7:x");
      expect(await text("Grep", { ...content, "-n": false })).toBe("a.txt:x\na.txt:x");
      expect(await text("Grep", { ...content, "-B": 3 })).toBe(
        "a.txt-1-1\na.txt-2-2\na.txt:3:x\na.txt-4-4\na.txt-5-5\na.txt-6-6\na.txt:7:x",
      );
      expect(await text("Grep", { ...content, "-A": 1 })).toBe(
        "a.txt:3:x\na.txt-4-4\n--\na.txt:7:x\na.txt-8-8",
      );
      expect(await text("Grep", { ...content, "-C": 1, head_limit: 2 })).toBe(
        "a.txt-2-2\na.txt:3:x\n[5 more entries. Continue with offset 2.]",
      );
      expect(await text("Grep", { pattern: "q", output_mode: "content" })).toBe("No matches found");
    },
  },
  {
    says: "Grep counts",
    holds: async ({ put, text }) => {
      put("a.txt", "x\n".repeat(600));
      put("b.txt", "x\n");
      expect(await text("Grep", { pattern: "x", output_mode: "count" })).toBe(
        "a.txt:600\nb.txt:1\n601 matching lines in 2 files",
      );
    },
  },
  {
    says: "Grep narrows by glob and by type, and says what it can't do",
    holds: async ({ put, text, failure }) => {
      for (const path of ["a.ts", "b.tsx", "c.rs", "d.py", "e/f.ts"]) put(path, "x\n");
      expect(await text("Grep", { pattern: "x", glob: "*.rs, *.py" })).toBe(
        "Found 2 files\nc.rs\nd.py",
      );
      expect(await text("Grep", { pattern: "x", type: "rust" })).toBe("Found 1 file\nc.rs");
      expect(await text("Grep", { pattern: "x", glob: "e/**", type: "ts" })).toBe(
        "Found 1 file\ne/f.ts",
      );
      expect(await text("Grep", { pattern: "x", glob: "e/**", type: "py" })).toBe("No files found");
      expect(await failure("Grep", { pattern: "x", type: "cobol" })).toContain(
        'unknown type "cobol"',
      );
      expect(await failure("Grep", { pattern: "a\\nb", multiline: true })).toContain(
        "line by line",
      );
      expect(await failure("Grep", { pattern: "(" })).toContain("(");
    },
  },
  {
    says: "TodoWrite keeps the list",
    holds: async ({ text, call }) => {
      const todos = [
        { content: "a", status: "completed", activeForm: "Doing a" },
        { content: "b", status: "pending", activeForm: "Doing b" },
      ];
      expect(await text("TodoWrite", { todos })).toBe(
        "The task list was updated: 1 completed, 1 pending.",
      );
      expect(await call("todo", {})).toMatchObject({
        data: { todos: [{ content: "a" }, { content: "b" }] },
      });
      expect(await text("TodoWrite", { todos: [] })).toContain("it is empty");
    },
  },
  {
    says: "AskUserQuestion asks, and tells the answers beside their questions",
    holds: async ({ text, questions, asked }) => {
      const options = [{ label: "red", description: "Warm.", preview: "#f00" }, { label: "blue" }];
      const colour = { question: "Which colour?", header: "Colour", options, multiSelect: true };
      const result = await text("AskUserQuestion", { questions: [colour, { question: "Why?" }] });
      expect(result).toBe("The user answered:\nWhich colour?\n→ red\nWhy?\n→ whatever");
      expect(questions[0]?.[0]).toEqual({
        question: "Which colour?",
        header: "Colour",
        options: [{ label: "red", description: "Warm." }, { label: "blue" }],
        multi_select: true,
      });
      expect(asked()).toEqual([]);
    },
  },
  {
    says: "the web is reached by its own names, and asked for nothing that is not there",
    holds: async ({ call }) => {
      expect(await call("WebSearch", { query: "x" })).toMatchObject({
        metadata: { error_code: "unavailable" },
      });
      expect(
        await call("WebFetch", { url: "http://haft.invalid/", prompt: "What is there?" }),
      ).toMatchObject({ type: "error", error_text: expect.stringContaining("haft.invalid") });
    },
  },
];
