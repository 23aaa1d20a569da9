import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool, ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import {
  claude,
  createRegistry,
  createSession,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";

const text = "one\ntwo\nthree\n";

function open(
  options: Partial<SessionOptions> = {},
  tools: readonly Tool[] = builtinTools,
): Session {
  return createSession({
    registry: createRegistry(tools),
    computer: createMemoryComputer({ files: { "a.txt": text, "src/b.ts": "b\n" } }),
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
    ...options,
  });
}

function call(name: string, args: object, options?: Partial<SessionOptions>): Promise<ToolResult> {
  return open(options).call({ name, arguments: args as never });
}

const edit = { old_string: "two", new_string: "2" };
const edited = { data: { diff: expect.stringContaining("-two\n+2") } };

describe("a call in the words of another family", () => {
  it.each<[string, object, object]>([
    // 000:83-100
    ["Edit", { path: "a.txt", old_str: "two", new_str: "2" }, edited],
    ["Delete", { path: "a.txt" }, { data: { message: "Deleted /workspace/a.txt." } }],
    ["delete", { path: "a.txt" }, { data: { message: "Deleted /workspace/a.txt." } }],
    ["task_list", {}, { data: { todos: [] } }],
    ["glob", { filePattern: "**/*.ts" }, { data: { files: ["/workspace/src/b.ts"] } }],
    // Other names of tools.
    ["str_replace", { path: "a.txt", old_str: "two", new_str: "2" }, edited],
    ["replace_string_in_file", { filePath: "a.txt", oldString: "two", newString: "2" }, edited],
    ["replace_in_file", { path: "a.txt", find: "two", replace: "2" }, edited],
    ["str_replace_editor", { command: "str_replace", path: "a.txt", ...edit }, edited],
    [
      "str_replace_editor",
      { command: "view", path: "a.txt", view_range: [2, 3] },
      { data: { content: "2: two\n3: three" } },
    ],
    [
      "str_replace_based_edit_tool",
      { command: "create", path: "c.txt", file_text: "c" },
      { data: { created: true } },
    ],
    ["view", { path: "a.txt", start_line: 2, end_line: 2 }, { data: { content: "2: two" } }],
    ["view_file", { AbsolutePath: "a.txt" }, { data: { content: "1: one\n2: two\n3: three" } }],
    ["list_dir", { relative_workspace_path: "src" }, { data: { type: "directory" } }],
    ["MultiEdit", { file_path: "a.txt", edits: [edit] }, edited],
    ["create", { path: "c.txt", contents: "c" }, { data: { created: true } }],
    ["write_to_file", { file_path: "c.txt", content: "c" }, { data: { created: true } }],
    [
      "search_files",
      { path: ".", regex: "^two", file_pattern: "*.txt" },
      { data: { matches: [{ line: 2 }] } },
    ],
    ["grep_search", { query: "TWO", "-i": true }, { data: { matches: [{ line: 2 }] } }],
    ["find_files", { glob: "*.txt" }, { data: { files: ["/workspace/a.txt"] } }],
    ["rename", { source: "a.txt", destination: "c.txt" }, { data: { to: "/workspace/c.txt" } }],
    [
      "edit_file",
      { path: "a.txt", edits: [{ oldText: "two", newText: "2" }], dryRun: false },
      edited,
    ],
    [
      "apply_diff",
      {
        path: "a.txt",
        diff: "<<<<<<< SEARCH\n:start_line:2\n-------\ntwo\n=======\n2\n>>>>>>> REPLACE",
      },
      edited,
    ],
    [
      "patch",
      { input: "--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+2\n" },
      { data: { files: [{}] } },
    ],
    // Other names of parameters on our own tools, and fields that change nothing.
    ["edit", { target_file: "a.txt", ...edit, explanation: "why" }, edited],
    ["edit", { path: "a.txt", ...edit, expected_replacements: 1 }, edited],
    ["edit", { file_path: "a.txt", filePath: "a.txt", ...edit }, edited],
    ["edit", { path: "a.txt", edits: [edit] }, edited],
    ["read", { file: "a.txt", should_read_entire_file: true }, { data: { type: "file" } }],
  ])("%s %j is understood, with a note", async (name, args, result) => {
    expect(await call(name, args)).toMatchObject({ type: "output", ...result });
  });

  it("says what was read as what", async () => {
    const args = { path: "a.txt", old_str: "two", new_str: "2", description: "x" };
    expect(await call("str_replace", args)).toMatchObject({
      metadata: {
        notes: [
          "The call was understood: read str_replace as edit, old_str as old_string, new_str as new_string; ignored description.",
        ],
      },
    });
    expect((await call("edit", { path: "a.txt", ...edit })).metadata.notes).toBeUndefined();
  });

  it("answers in the dialect of the session", async () => {
    const args = { path: "a.txt", old_str: "two", new_str: "2" };
    expect(await call("str_replace", args, { dialect: claude })).toMatchObject({
      data: expect.stringMatching(/^The file \/workspace\/a\.txt was changed/u),
    });
  });

  it.each<[string, object, RegExp]>([
    ["view", { line: 5 }, /^There is no tool named "view"\. Use read \{ path: string, offset\?/u],
    ["search_files", { path: ".", pattern: "a" }, /Use glob \{ pattern: string.*\} or grep \{/u],
    ["list_files", { path: ".", recursive: true }, /Use read \{/u],
    [
      "str_replace_editor",
      { command: "insert", path: "a.txt" },
      /Use read .* or write .* or edit/u,
    ],
    ["overview", {}, /Did you mean repo_overview\?/u],
    ["edit", { path: "a.txt", file_path: "b.txt", ...edit }, /file_path is not a known property/u],
    ["edit", { path: "a.txt", ...edit, dry_run: true }, /dry_run is not a known property/u],
    ["edit", { path: "a.txt", ...edit, expected_replacements: 2 }, /expected_replacements is not/u],
    [
      "edit",
      { path: "a.txt", ...edit, replace_all: true, expected_replacements: 1 },
      /expected_replacements is not/u,
    ],
    ["bash", { command: "ls", timeout: 30 }, /timeout is not a known property/u],
    [
      "apply_diff",
      { path: "a.txt", diff: "<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE" },
      /Use multi_edit .* or apply_patch/u,
    ],
  ])("%s %j is refused with what to send", async (name, args, message) => {
    expect(await call(name, args)).toMatchObject({ error_text: expect.stringMatching(message) });
  });

  it("is judged as the tool and path that it means", async () => {
    const rules = [
      { permission: "*", pattern: "*", action: "allow" },
      { permission: "edit", pattern: "a.txt", action: "deny" },
    ] as const;
    const args = { filename: "a.txt", old_str: "two", new_str: "2" };
    expect(await call("str_replace", args, { rules: [...rules] })).toMatchObject({
      metadata: { error_code: "denied" },
    });
    const outside = { file_path: "../x", old_str: "a", new_str: "b" };
    expect(await call("str_replace", outside)).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
  });

  it("reads a command that only applies a patch as that", async () => {
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch";
    const command = `apply_patch <<'EOF'\n${patch}\nEOF`;
    const rules = [{ permission: "apply_patch", pattern: "*", action: "allow" } as const];
    expect(await call("bash", { command }, { rules })).toMatchObject({
      data: { files: [{ path: "/workspace/a.txt", action: "updated" }] },
      metadata: { notes: ["The command was read as a call of apply_patch."] },
    });
  });

  it("means no tool that the mode leaves out, and none that has the name itself", async () => {
    const mode = { includeTools: ["grep"] };
    expect(await call("view", { path: "a.txt" }, { mode })).toMatchObject({
      error_text: 'There is no tool named "view".',
    });
    const view = new MockTool({ name: "view", output: "mine" });
    const session = open({}, [...builtinTools, view]);
    expect(await session.call({ name: "view", arguments: {} })).toMatchObject({ data: "mine" });
  });

  it("leaves a field named like a part of every object alone", async () => {
    const session = open();
    const args = '{"path":"a.txt","old_str":"two","new_str":"2","__proto__":{"replace_all":true}}';
    expect(await session.call({ name: "edit", arguments: args })).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
  });
});
