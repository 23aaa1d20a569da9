import { join } from "node:path";
import { expect } from "vitest";
import type { Row } from "./row.ts";

/** What the dialect `claude` does with files and commands. */
export const claudeRows: readonly Row[] = [
  {
    says: "it shows its names, and no native twin",
    holds: async ({ session }) => {
      expect(session.tools().map(({ name }) => name)).toEqual([
        "Read",
        "Write",
        "Edit",
        "Glob",
        "Grep",
        "undo_edit",
        "TodoWrite",
        "AskUserQuestion",
        "Bash",
        "TaskOutput",
        "TaskStop",
        "WebFetch",
        "WebSearch",
        "ToolSearch",
      ]);
    },
  },
  {
    says: "Read numbers lines as cat -n does",
    holds: async ({ put, text }) => {
      const file_path = put("a.txt", "one\n  two: 2\n\nfour\r\n");
      expect(await text("Read", { file_path })).toBe(
        "     1\tone\n     2\t  two: 2\n     3\t\n     4\tfour",
      );
    },
  },
  {
    says: "Read takes lines by offset and limit, and says where to go on",
    holds: async ({ put, text }) => {
      const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
      const file_path = put("a.txt", `${lines.join("\n")}\n`);
      expect(await text("Read", { file_path, offset: 9, limit: 2 })).toBe(
        "     9\tline 9\n    10\tline 10\n[These are lines 9 to 10 of 30. Continue with offset 11.]",
      );
      expect(await text("Read", { file_path, offset: 0, limit: 1 })).toContain("     1\tline 1\n");
      expect(await text("Read", { file_path, offset: 99 })).toContain(
        "has 30 lines, so nothing is at this offset",
      );
    },
  },
  {
    says: "Read shows images as data, and tells of what is empty or a directory",
    holds: async ({ put, call, text, root }) => {
      const path = put("a.png", png);
      expect(await call("Read", { file_path: path })).toMatchObject({
        data: { type: "image", media_type: "image/png", data: expect.any(String) },
      });
      const empty = put("empty", "");
      expect(await text("Read", { file_path: empty })).toBe(`[${empty} is empty.]`);
      put("d/e/f", "");
      expect(await text("Read", { file_path: "d" })).toBe("e/");
      expect(await text("Read", { file_path: join(root, ".git") })).toContain("empty directory");
    },
  },
  {
    says: "Read keeps the sentence of an error",
    holds: async ({ root, failure, put }) => {
      expect(await failure("Read", { file_path: "nowhere" })).toContain(join(root, "nowhere"));
      expect(await failure("Read", { file_path: put(".env", "K=1") })).toContain(".env");
      expect(await failure("Read", {})).toContain("do not fit Read: file_path is missing");
    },
  },
  {
    says: "Edit tells what changed",
    holds: async ({ put, get, text }) => {
      const file_path = put("a.ts", "one\ntwo\nthree\n");
      const result = await text("Edit", { file_path, old_string: "two", new_string: "2" });
      expect(result).toContain(`The file ${file_path} was changed in 1 place.`);
      expect(result).toContain("-two\n+2\n");
      expect(get("a.ts")).toBe("one\n2\nthree\n");
    },
  },
  {
    says: "Edit replaces all if told to, and says how it matched",
    holds: async ({ put, get, text }) => {
      const file_path = put("a.ts", "x\ny\nx\n");
      const all = { file_path, old_string: "x", new_string: "z", replace_all: true };
      expect(await text("Edit", all)).toContain("in 2 places");
      const loose = { file_path, old_string: "z\r\ny", new_string: "q\r\ny" };
      expect(await text("Edit", loose)).toContain("line endings");
      expect(get("a.ts")).toBe("q\ny\nz\n");
    },
  },
  {
    says: "Edit refuses what is not clear, in sentences",
    holds: async ({ put, get, failure }) => {
      const file_path = put("a.ts", "x\nx\n");
      const one = { file_path, old_string: "x", new_string: "y" };
      expect(await failure("Edit", one)).toContain("set replace_all");
      expect(await failure("Edit", { ...one, old_string: "q" })).toContain(
        "old_string was not found",
      );
      expect(await failure("Edit", { ...one, file_path: "new" })).toContain(
        "Use `Write` to create",
      );
      expect(get("a.ts")).toBe("x\nx\n");
    },
  },
  {
    says: "Write makes files, and names the instructions for the place",
    holds: async ({ put, get, text, asked }) => {
      const guide = put("AGENTS.md", "Be kind.\n");
      const result = await text("Write", { file_path: "d/a.txt", content: "x" });
      expect(result).toMatch(/^Created .*\/d\/a\.txt \(2 bytes\)\.\n/u);
      expect(result).toContain(guide);
      expect(get("d/a.txt")).toBe("x\n");
      expect(await text("Write", { file_path: "d/a.txt", content: "y\n" })).toMatch(/^Replaced /u);
      expect(asked()).toEqual(["write", "write"]);
    },
  },
  {
    says: "Bash gives the output, and the exit code where it is not 0",
    holds: async ({ text }) => {
      expect(await text("Bash", { command: "echo hello", description: "Greets" })).toBe("hello\n");
      expect(await text("Bash", { command: "true" })).toBe("(no output)");
      expect(await text("Bash", { command: "echo no >&2; exit 3" })).toBe("Exit code 3\nno\n");
    },
  },
  {
    says: "Bash keeps head and tail of long output, and names the file with the whole",
    holds: async ({ call, text }) => {
      const command = "seq 1 20000";
      const result = await call("Bash", { command });
      const path = result.metadata.output_path as string;
      const shown = result.type === "output" ? String(result.data) : "";
      expect(shown.length).toBeLessThan(31_000);
      expect(shown).toMatch(/^1\n2\n/u);
      expect(shown).toContain(`the whole is at ${path} …]`);
      expect(shown).toMatch(/\n20000\n$/u);
      expect(await text("Read", { file_path: path, offset: 15000, limit: 1 })).toContain("\t15000");
    },
  },
  {
    says: "Bash ends a command after its timeout, with what it printed",
    holds: async ({ call }) => {
      const result = await call("Bash", { command: "echo begun; sleep 60", timeout: 300 });
      expect(result).toMatchObject({
        error_text: expect.stringContaining("begun"),
        metadata: { error_code: "timeout" },
      });
    },
  },
  {
    says: "Bash tells of what it left running and had to end",
    holds: async ({ text }) => {
      const result = await text("Bash", { command: "sleep 61 & echo x" });
      expect(result).toContain("[Stopped a process that was left running: ");
      expect(result).toContain(
        "Use `Bash` with `run_in_background` for those that should keep running",
      );
    },
  },
  {
    says: "Bash leaves in the background what is to go on, and the tasks tell of it",
    holds: async ({ text, session }) => {
      const called: unknown[] = [];
      session.on("tool:post", ({ name, tool }) => called.push([name, tool]));
      const command = "echo up; exec sleep 62";
      const started = await text("Bash", { command, run_in_background: "true" });
      expect(started).toContain("is running");
      const task_id = /task_id "(?<id>[^"]+)"/u.exec(started)?.groups?.id as string;
      expect(await text("TaskOutput", { task_id, block: false })).toContain("up\n");
      expect(await text("BashOutput", { bash_id: task_id })).toContain("is running");
      expect(await text("TaskStop", { task_id })).toContain("Stopped");
      expect(await text("TaskOutput", { task_id })).toContain("ended");
      expect(called.slice(0, 2)).toEqual([
        ["Bash", "job_start"],
        ["TaskOutput", "job_output"],
      ]);
    },
  },
  {
    says: "Bash with wrong arguments is told of by its own schema",
    holds: async ({ failure }) => {
      expect(await failure("Bash", { run_in_background: true })).toContain(
        "do not fit Bash: command is missing",
      );
      expect(await failure("Bash", {})).toContain("do not fit Bash: command is missing");
      expect(await failure("TaskStop", { task_id: "x" })).toContain(
        "Use `Bash` with `run_in_background`",
      );
    },
  },
];

const png = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (letter) => letter.charCodeAt(0),
);
