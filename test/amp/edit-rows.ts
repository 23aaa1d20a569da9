import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Row } from "./row.ts";

/** What `edit_file`, `create_file`, `delete_file` and `undo_edit` do. */
export const editRows: readonly Row[] = [
  {
    lines: "001:185-192,210,273-277",
    says: "an edit gives a diff in git's form, the lines, and the file",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "one\ntwo\nthree\n");
      expect(await call("edit_file", { path, old_str: "two", new_str: "2" })).toEqual({
        status: "done",
        result: {
          diff: expect.stringMatching(
            /^--- a.*\n\+\+\+ b.*\n@@ -1,3 \+1,3 @@\n one\n-two\n\+2\n three\n/u,
          ),
          lineRange: [2, 2],
        },
        trackFiles: [path],
      });
      expect(readFileSync(path, "utf8")).toBe("one\n2\nthree\n");
    },
  },
  {
    lines: "001:197,204,222-226",
    says: "a file that is not there can't be edited",
    holds: async ({ root, call }) => {
      const path = join(root, "missing.ts");
      expect(await call("edit_file", { path, old_str: "a", new_str: "b" })).toMatchObject({
        status: "error",
        error: { message: "file not found. Cannot update a file that doesn't exist." },
      });
    },
  },
  {
    lines: "001:198,205,247-250",
    says: "text that is not there is not found, and nothing changes",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "one\n");
      expect(await call("edit_file", { path, old_str: "zwei", new_str: "2" })).toMatchObject({
        status: "error",
        error: { message: "Could not find exact match for old_str" },
      });
      expect(readFileSync(path, "utf8")).toBe("one\n");
    },
  },
  {
    lines: "001:199,207,252-256",
    says: "text that is there several times is counted",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "a\na\na\n");
      expect(await call("edit_file", { path, old_str: "a", new_str: "b" })).toMatchObject({
        status: "error",
        error: {
          message:
            "found multiple matches for edit (3 occurrences). Use replace_all or provide more context.",
        },
      });
    },
  },
  {
    lines: "001:200,206,228-232",
    says: "old and new must differ",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "a\n");
      expect(await call("edit_file", { path, old_str: "a", new_str: "a" })).toMatchObject({
        status: "error",
        error: { message: "old_str and new_str must be different" },
      });
    },
  },
  {
    lines: "001:208,259-260",
    says: "replace_all replaces every one",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "a\nx a\n");
      const args = { path, old_str: "a", new_str: "b", replace_all: true };
      expect(await call("edit_file", args)).toMatchObject({ status: "done" });
      expect(readFileSync(path, "utf8")).toBe("b\nx b\n");
    },
  },
  {
    lines: "001:209,240-245",
    says: "white space that differs is forgiven where one place is left",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "if (a) {  \n    b();\n}\n");
      const args = { path, old_str: "if (a) {\n    b();\n}", new_str: "b();" };
      expect(await call("edit_file", args)).toMatchObject({ status: "done" });
      expect(readFileSync(path, "utf8")).toBe("b();\n");
    },
  },
  {
    lines: "001:211,264-267",
    says: "edits of one file at the same time don't lose each other",
    holds: async ({ put, session }) => {
      const path = put("a.ts", "a\nb\n");
      const edit = (old_str: string, new_str: string) => ({
        name: "edit_file",
        arguments: { path, old_str, new_str },
      });
      await session.batch([edit("a", "1"), edit("b", "2")]);
      expect(readFileSync(path, "utf8")).toBe("1\n2\n");
    },
  },
  {
    lines: "001:302,333,344-348",
    says: "create_file makes directories and says that it created",
    holds: async ({ root, call }) => {
      const path = join(root, "new/deep/a.txt");
      expect(await call("create_file", { path, content: "x\n" })).toEqual({
        status: "done",
        result: `Successfully created file ${path}`,
        trackFiles: [path],
      });
    },
  },
  {
    lines: "001:303,314-316",
    says: "create_file ends the last line, and leaves an empty file empty",
    holds: async ({ root, call }) => {
      const path = join(root, "a.txt");
      await call("create_file", { path, content: "x" });
      expect(readFileSync(path, "utf8")).toBe("x\n");
      await call("create_file", { path, content: "" });
      expect(readFileSync(path, "utf8")).toBe("");
    },
  },
  {
    lines: "001:304,323,333",
    says: "create_file overwrites and says so",
    holds: async ({ put, call }) => {
      const path = put("a.txt", "old\n");
      expect(await call("create_file", { path, content: "new\n" })).toMatchObject({
        result: `Successfully overwrote file ${path}`,
      });
      expect(readFileSync(path, "utf8")).toBe("new\n");
    },
  },
  {
    lines: "001:306,334-342",
    says: "create_file tells of guidance that it discovered",
    holds: async ({ root, put, call }) => {
      const guidance = put("src/AGENTS.md", "Be kind.\n");
      const path = join(root, "src/a.ts");
      expect(await call("create_file", { path, content: "x\n" })).toEqual({
        status: "done",
        result: {
          message: `Successfully created file ${path}`,
          discoveredGuidanceFiles: [guidance],
        },
        trackFiles: [path],
      });
    },
  },
  {
    lines: "001:676",
    says: "undo_edit reverts the last edit of a file",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "one\n");
      await call("edit_file", { path, old_str: "one", new_str: "two" });
      expect(await call("undo_edit", { path })).toMatchObject({ status: "done" });
      expect(readFileSync(path, "utf8")).toBe("one\n");
    },
  },
  {
    lines: "001:677",
    says: "delete_file deletes a file",
    holds: async ({ put, call }) => {
      const path = put("a.ts", "one\n");
      expect(await call("delete_file", { path })).toMatchObject({
        status: "done",
        trackFiles: [path],
      });
      expect(await call("Read", { path })).toMatchObject({ status: "error" });
    },
  },
  {
    lines: "001:678",
    says: "format_file is there",
    holds: async ({ tool }) => {
      expect(tool("format_file").kind).toBe("edit");
    },
  },
];
