import type { CallCase } from "./call-case.ts";

const files = { "src/app.ts": "const a = 1;\nconst b = 2;\n", "notes.md": "# Notes\n" };
const edited = { "src/app.ts": "const a = 3;\nconst b = 2;\n" };
const written = { "src/new.ts": "export {};\n" };

type Row = readonly [name: string, args: Readonly<Record<string, unknown>>];

const path = "src/app.ts";
const [old, now] = ["const a = 1;", "const a = 3;"];

/** How families of agents write the same edit. */
const edits: readonly Row[] = [
  ["Edit", { file_path: path, old_string: old, new_string: now }],
  ["Edit", { path, old_str: old, new_str: now }],
  ["edit", { file_path: path, old_string: old, new_string: now }],
  ["edit", { filePath: path, oldString: old, newString: now }],
  ["edit", { target_file: path, find: old, replace: now }],
  ["edit", { path, search: old, replace: now }],
  ["edit", { path, old_text: old, new_text: now, explanation: "raise it" }],
  ["edit_file", { path, old_string: old, new_string: now }],
  ["edit_file", { path, edits: [{ oldText: old, newText: now }], dryRun: false }],
  ["MultiEdit", { file_path: path, edits: [{ old_string: old, new_string: now }] }],
  ["multi_edit", { path, edits: [{ old_str: old, new_str: now }] }],
  ["replace", { file_path: path, old_string: old, new_string: now, expected_replacements: 1 }],
  ["replace", { file_path: path, instruction: "raise it", old_string: old, new_string: now }],
  ["str_replace", { path, old_str: old, new_str: now }],
  ["str_replace_editor", { command: "str_replace", path, old_str: old, new_str: now }],
  ["str_replace_based_edit_tool", { command: "str_replace", path, old_str: old, new_str: now }],
  ["replace_string_in_file", { filePath: path, oldString: old, newString: now }],
  ["search_replace", { file_path: path, old_string: old, new_string: now }],
  ["search_and_replace", { path, search: old, replace: now, use_regex: false }],
  ["apply_diff", { path, diff: `<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE` }],
  ["replace_in_file", { path, diff: `------- SEARCH\n${old}\n=======\n${now}\n+++++++ REPLACE` }],
  ["update_file", { file_path: path, old_string: old, new_string: now }],
  ["edit", { path, start_line: 1, end_line: 1, content: now }],
  ["edit_file", { target_file: path, instructions: "raise a", code_edit: `${now}\n// ...` }],
];

/** How they write the same new file. */
const writes: readonly Row[] = [
  ["Write", { file_path: "src/new.ts", content: "export {};\n" }],
  ["write", { file_path: "src/new.ts", contents: "export {};\n" }],
  ["write_file", { file_path: "src/new.ts", content: "export {};\n" }],
  ["write_file", { path: "src/new.ts", text: "export {};\n", description: "a module" }],
  ["write_to_file", { path: "src/new.ts", content: "export {};\n" }],
  ["write_to_file", { TargetFile: "src/new.ts", CodeContent: "export {};\n" }],
  ["create", { path: "src/new.ts", file_text: "export {};\n" }],
  ["create_file", { filePath: "src/new.ts", content: "export {};\n" }],
  ["create_new_file", { filepath: "src/new.ts", contents: "export {};\n" }],
  ["str_replace_editor", { command: "create", path: "src/new.ts", file_text: "export {};\n" }],
  ["save_file", { path: "src/new.ts", file_content: "export {};\n" }],
  ["WriteFile", { path: "src/new.ts", content: "export {};\n" }],
  ["write", { path: "src/new.ts", content: "export {};\n", overwrite: true }],
  ["create_directory", { path: "src/more" }],
];

const command = "npm test";

/** How they write the same command. */
const runs: readonly Row[] = [
  ["Bash", { command, description: "run the tests" }],
  ["Bash", { cmd: command }],
  ["bash", { cmd: command }],
  ["bash", { command, description: "run the tests", timeout: 120_000 }],
  ["shell", { command: ["bash", "-lc", command] }],
  ["shell", { command, workdir: "src" }],
  ["shell_command", { command, workdir: "src" }],
  ["local_shell", { command: ["npm", "test"] }],
  ["exec_command", { cmd: command, workdir: "src" }],
  ["execute_command", { command, requires_approval: false }],
  ["run_command", { CommandLine: command, Cwd: "src" }],
  ["run_in_terminal", { command, explanation: "run the tests", isBackground: false }],
  ["run_shell_command", { command, description: "run the tests", dir_path: "src" }],
  ["run_terminal_cmd", { command, explanation: "tests", is_background: false }],
  ["execute_bash", { command }],
  ["terminal", { command }],
  ["run", { script: command }],
  ["bash", { command, run_in_background: true }],
];

/** How they look at files. */
const reads: readonly (readonly [...Row, shows: string])[] = [
  ["Read", { file_path: path }, "const b"],
  ["read_file", { filePath: path }, "const b"],
  ["read_file", { target_file: path, should_read_entire_file: true }, "const b"],
  ["read_file", { path, start_line: 2, end_line: 2 }, "2: const b"],
  ["view", { path }, "const b"],
  ["view_file", { AbsolutePath: path }, "const b"],
  ["str_replace_editor", { command: "view", path, view_range: [2, -1] }, "2: const b"],
  ["cat", { path }, "const b"],
  ["open_file", { path }, "const b"],
  ["list_dir", { relative_workspace_path: "src" }, "app.ts"],
  ["list_directory", { path: "src" }, "app.ts"],
  ["ls", { path: "src" }, "app.ts"],
  ["list_files", { path: "src", recursive: false }, "app.ts"],
  ["Glob", { pattern: "**/*.ts" }, "app.ts"],
  ["glob", { filePattern: "**/*.ts" }, "app.ts"],
  ["find_files", { glob: "**/*.ts" }, "app.ts"],
  ["Grep", { pattern: "const b", output_mode: "content" }, "app.ts"],
  ["grep_search", { query: "const b", isRegexp: true, includePattern: "*.ts" }, "app.ts"],
  ["search_files", { path: "src", regex: "const b", file_pattern: "*.ts" }, "app.ts"],
  ["search_file_content", { pattern: "const b", dir_path: "src" }, "app.ts"],
  ["ripgrep", { pattern: "const b" }, "app.ts"],
  ["task_list", {}, "todos"],
];

const toCases = (kind: string, rows: readonly Row[], meant: Partial<CallCase>): CallCase[] =>
  rows.map(([name, args]) => ({ kind, files, name, args, ...meant }));

/** Calls in the words of other families. */
export const nameCases: readonly CallCase[] = [
  ...toCases("other names for edit", edits, { changes: edited }),
  ...toCases("other names for write", writes, { changes: written }),
  ...toCases("other names for bash", runs, { shows: command }),
  ...reads.map(([name, args, shows]) => ({
    kind: "other names for read and search",
    files,
    name,
    args,
    shows,
  })),
  ...["Delete", "delete", "rm", "remove_file"].map((name) => ({
    kind: "other names for edit",
    files,
    name,
    args: { path: "notes.md" },
    changes: { "notes.md": undefined },
  })),
];
