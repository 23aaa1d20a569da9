import { join } from "node:path";
import { expect } from "vitest";
import type { Row } from "./row.ts";

/** What the dialect `gemini` does. */
export const geminiRows: readonly Row[] = [
  {
    says: "it shows its names, and no native twin",
    holds: async ({ session }) => {
      expect(session.tools().map(({ name }) => name)).toEqual([
        "read_file",
        "list_directory",
        "write_file",
        "replace",
        "glob",
        "grep_search",
        "undo_edit",
        "write_todos",
        "ask_user",
        "run_shell_command",
        "job_output",
        "job_stop",
        "web_fetch",
        "google_web_search",
        "tool_search",
      ]);
      const glob = session.tools().find(({ name }) => name === "glob");
      expect(Object.keys(glob?.input_schema.properties ?? {})).toEqual(["pattern", "dir_path"]);
    },
  },
  {
    says: "read_file gives lines as they are, and before them where to go on",
    holds: async ({ put, text }) => {
      const file_path = put("a.txt", "1: one\n  two\n\nfour\n");
      expect(await text("read_file", { file_path })).toBe("1: one\n  two\n\nfour");
      expect(await text("read_file", { file_path, start_line: 2, end_line: 3 })).toBe(
        "[These are lines 2 to 3 of 4. Continue with start_line 4.]\n\n  two\n",
      );
      expect(await text("read_file", { absolute_path: file_path, offset: 3, limit: 9 })).toBe(
        "four",
      );
      expect(await text("read_file", { file_path, start_line: 9 })).toContain(
        "has no lines in this range",
      );
    },
  },
  {
    says: "read_file keeps the sentence of an error",
    holds: async ({ root, failure }) => {
      expect(await failure("read_file", { file_path: "no" })).toContain(join(root, "no"));
      expect(await failure("read_file", {})).toContain(
        "do not fit read_file: file_path is missing",
      );
    },
  },
  {
    says: "list_directory marks directories",
    holds: async ({ root, put, text }) => {
      put("d/e/f", "");
      put("d/g", "");
      expect(await text("list_directory", { dir_path: "d" })).toBe(
        `In the directory ${join(root, "d")}:\n[DIR] e\ng`,
      );
      expect(await text("list_directory", { dir_path: "d/g" })).toContain("is not a directory");
      expect(await text("list_directory", { dir_path: ".git" })).toContain("is empty");
    },
  },
  {
    says: "write_file makes files",
    holds: async ({ get, text, asked }) => {
      expect(await text("write_file", { file_path: "d/a.txt", content: "x" })).toMatch(
        /^Created .*\/d\/a\.txt \(2 bytes\)\.$/u,
      );
      expect(get("d/a.txt")).toBe("x\n");
      expect(asked()).toEqual(["write"]);
    },
  },
  {
    says: "replace tells what changed, and how often",
    holds: async ({ put, get, text, failure }) => {
      const file_path = put("a.ts", "x\ny\nx\n");
      const both = { file_path, old_string: "x", new_string: "z" };
      expect(await failure("replace", both)).toContain("occurs 2 times");
      const all = await text("replace", { ...both, instruction: "All.", allow_multiple: true });
      expect(all).toContain(`The file ${file_path} was changed: 2 replacements.`);
      expect(all).toContain("-x\n+z\n");
      const three = { file_path, old_string: "z", new_string: "q", expected_replacements: 3 };
      expect(await text("replace", three)).toContain("3 were expected.");
      expect(get("a.ts")).toBe("q\ny\nq\n");
    },
  },
  {
    says: "run_shell_command gives output and exit code, from the directory it is told",
    holds: async ({ root, put, text }) => {
      put("sub/a", "");
      const run = (args: object): Promise<string> => text("run_shell_command", { ...args });
      expect(await run({ command: "echo hello" })).toBe("Output: hello\n");
      expect(await run({ command: "exit 4" })).toBe("Exit Code: 4\nOutput: (empty)");
      expect(await run({ command: "pwd", dir_path: "sub" })).toContain(join(root, "sub"));
      expect(await run({ command: "pwd", directory: join(root, "sub") })).toContain("/sub");
    },
  },
  {
    says: "run_shell_command leaves in the background what is to go on",
    holds: async ({ text, call }) => {
      const command = "echo up; exec sleep 63";
      const started = await text("run_shell_command", { command, is_background: true });
      expect(started).toContain("Output:\nup\n");
      const job_id = /job_id "(?<id>[^"]+)"/u.exec(started)?.groups?.id as string;
      expect(await call("job_output", { job_id })).toMatchObject({ data: { state: "running" } });
      expect(await call("job_stop", { job_id })).toMatchObject({ data: { state: "ended" } });
    },
  },
  {
    says: "run_shell_command tells of a background job that has ended at once",
    holds: async ({ text }) => {
      const ended = await text("run_shell_command", { command: "exit 7", is_background: true });
      expect(ended).toMatch(/ended with exit code 7\.\nNo output\.$/u);
    },
  },
  {
    says: "glob gives paths",
    holds: async ({ root, put, text }) => {
      const path = put("src/a.ts", "");
      expect(await text("glob", { pattern: "**/*.ts" })).toBe(
        `Found 1 file for "**/*.ts":\n${path}`,
      );
      expect(await text("glob", { pattern: "*.ts", dir_path: join(root, "src") })).toContain(path);
      expect(await text("glob", { pattern: "*.ts", path: "src" })).toContain(path);
      expect(await text("glob", { pattern: "*.py" })).toBe('No files match "*.py".');
    },
  },
  {
    says: "grep_search gives lines by file, with those around them, whatever the case",
    holds: async ({ put, text }) => {
      put("a.txt", "1\n2\nX\n4\n5\n");
      put("b.ts", "x\n");
      expect(await text("grep_search", { pattern: "x" })).toBe(
        'Found 2 matches for "x":\n---\nFile: a.txt\nL3: X\n---\nFile: b.ts\nL1: x\n---',
      );
      expect(
        await text("grep_search", { pattern: "X", case_sensitive: true, before: 2, after: 1 }),
      ).toBe('Found 1 match for "X":\n---\nFile: a.txt\nL1- 1\nL2- 2\nL3: X\nL4- 4\n---');
      expect(await text("search", { pattern: "x", include_pattern: "*.ts" })).toContain("b.ts");
      expect(await text("search_file_content", { pattern: "x", include: "*.ts" })).toBe(
        'Found 1 match for "x":\n---\nFile: b.ts\nL1: x\n---',
      );
      expect(await text("grep_search", { pattern: "q" })).toBe('No lines match "q".');
    },
  },
  {
    says: "grep_search keeps to its numbers, and says what it left out",
    holds: async ({ put, text }) => {
      put("a.txt", "x.y\n".repeat(150));
      put("b.txt", "x.y\n");
      const search = (args: object): Promise<string> =>
        text("grep_search", { pattern: "x.y", fixed_strings: true, ...args });
      const usual = await search({});
      expect(usual).toContain("Found 100 matches");
      expect(usual).toContain("[51 more are not shown.]");
      const few = await search({ max_matches_per_file: 1, exclude_pattern: "z" });
      expect(few).toContain("Found 2 matches");
      expect(few).toContain("[exclude_pattern was not applied.]");
      expect(await search({ names_only: true })).toBe('Found 2 files for "x.y":\na.txt\nb.txt');
      expect(await search({ names_only: true, total_max_matches: 1 })).toContain("[1 more");
    },
  },
  {
    says: "web_fetch finds the address in the prompt",
    holds: async ({ call, failure }) => {
      const prompt = "Please read <http://haft.invalid/a>, and sum it up.";
      expect(await call("web_fetch", { prompt })).toMatchObject({
        error_text: expect.stringContaining("haft.invalid"),
      });
      expect(await call("web_fetch", { url: "http://haft.invalid/" })).toMatchObject({
        error_text: expect.stringContaining("haft.invalid"),
      });
      expect(await failure("web_fetch", { prompt: "Sum it up." })).toContain("contains no URL");
      expect(await failure("web_fetch", { prompt: "http://a.io http://b.io" })).toContain(
        "one call for each",
      );
      expect(await call("google_web_search", { query: "x" })).toMatchObject({
        metadata: { error_code: "unavailable" },
      });
    },
  },
  {
    says: "write_todos keeps the list",
    holds: async ({ text, call }) => {
      const todos = [
        { description: "a", status: "in_progress" },
        { description: "b", status: "blocked" },
      ];
      expect(await text("write_todos", { todos })).toBe(
        "The task list was updated: 1 in_progress, 1 pending.",
      );
      expect(await call("todo", {})).toMatchObject({
        data: { todos: [{ content: "a" }, { content: "b (blocked)" }] },
      });
    },
  },
  {
    says: "ask_user gives the answers by number",
    holds: async ({ text, questions }) => {
      const asked = [
        { question: "Sure?", header: "Sure", type: "yesno" },
        { question: "Why?", header: "Why", type: "text", options: [], placeholder: "…" },
      ];
      expect(JSON.parse(await text("ask_user", { questions: asked }))).toEqual({
        answers: { 0: "Yes", 1: "whatever" },
      });
      expect(questions[0]).toEqual([
        { question: "Sure?", header: "Sure", options: [{ label: "Yes" }, { label: "No" }] },
        { question: "Why?", header: "Why" },
      ]);
    },
  },
];
