import { foldName } from "../registry/nearest-names.ts";

/** What other families of agents call a built-in tool and its parameters. Case and separators don't matter. */
interface ToolSynonyms {
  readonly names: readonly string[];
  /** Other names of its parameters, by the tool's own. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** Values of further fields that say only what the tool does anyway. */
  readonly idle?: Readonly<Record<string, readonly unknown[]>>;
}

const file = "file_path file filename target_file absolute_path abs_path full_path relative_path";
const directory =
  "directory dir dir_path directory_path target_directory search_path search_directory relative_workspace_path";
const oldText =
  "old_str old_text old old_content old_code find search search_text search_string search_content original original_text target_content";
const newText =
  "new_str new_text new new_content new_code replace replacement replace_with replace_text replacement_text replace_content replacement_content";

/** The synonyms of each built-in tool. A name that several tools have is decided by the arguments. */
const synonyms: Readonly<Record<string, ToolSynonyms>> = {
  read: {
    names: words(
      "view view_file open_file read_file read_text_file cat list_dir list_directory list_files ls read_directory view_directory str_replace_editor str_replace_based_edit_tool",
    ),
    parameters: {
      path: words(`${file} ${directory}`),
      offset: words("start_line start_line_one_indexed line_start first_line from_line"),
      limit: words("num_lines max_lines line_count"),
    },
    idle: {
      command: ["view"],
      should_read_entire_file: [true],
      recursive: [false],
    },
  },
  write: {
    names: words(
      "create create_file create_new_file write_file write_to_file write_text_file save_file overwrite_file new_file create_directory make_directory mkdir str_replace_editor str_replace_based_edit_tool",
    ),
    parameters: {
      path: words(file),
      content: words("contents text file_text file_content file_contents code_content body"),
    },
    idle: { command: ["create"], overwrite: [true], create_directories: [true] },
  },
  edit: {
    names: words(
      "str_replace str_replace_editor str_replace_based_edit_tool string_replace replace replace_in_file replace_string_in_file replace_text search_replace search_and_replace edit_file file_edit update_file",
    ),
    parameters: {
      path: words(file),
      old_string: words(oldText),
      new_string: words(newText),
      replace_all: words("all allow_multiple replace_all_occurrences"),
    },
    idle: {
      command: ["str_replace"],
      is_regex: [false],
      use_regex: [false],
      regex: [false],
      expected_replacements: [1],
      expected_occurrences: [1],
    },
  },
  multi_edit: {
    names: words("edit edit_file multi_edit_file replace_in_file apply_diff search_replace"),
    parameters: {
      path: words(file),
      edits: words("replacements changes"),
      old_string: words(oldText),
      new_string: words(newText),
      replace_all: words("all allow_multiple replace_all_occurrences"),
    },
  },
  apply_patch: {
    names: words("patch patch_file apply_diff apply_unified_diff edit_file"),
    parameters: { patch: words("input diff patch_text patch_content unified_diff udiff") },
  },
  delete_file: {
    names: words("delete remove remove_file rm unlink"),
    parameters: { path: words(file) },
    idle: { recursive: [false] },
  },
  move_file: {
    names: words("move rename rename_file mv"),
    parameters: {
      from: words("source source_path src old_path old_name from_path source_file"),
      to: words("destination destination_path dest target target_path new_path new_name to_path"),
    },
    idle: { overwrite: [false] },
  },
  glob: {
    names: words("glob_search glob_file_search find_files find_by_name search_files file_glob"),
    parameters: {
      pattern: words("file_pattern glob glob_pattern search_pattern"),
      path: words(directory),
      limit: words("max_results head_limit"),
    },
    idle: { recursive: [true] },
  },
  grep: {
    names: words(
      "grep_search search search_files search_file_content search_text search_code search_in_files find_in_files ripgrep rg",
    ),
    parameters: {
      pattern: words("regex regexp query search_pattern search_term search"),
      path: words(`${directory} file_path`),
      glob: words("include include_pattern file_pattern file_glob glob_pattern"),
      literal: words("fixed_strings is_literal fixed_string"),
      context: words("context_lines -C"),
    },
    idle: {
      is_regex: [true],
      is_regexp: [true],
      use_regex: [true],
      recursive: [true],
      output_mode: ["content"],
      "-n": [true],
      line_numbers: [true],
    },
  },
  bash: {
    names: words(
      "shell shell_command execute_command execute_bash exec exec_command run run_bash run_command run_in_terminal run_shell run_shell_command run_terminal_cmd run_terminal_command terminal local_shell sh",
    ),
    parameters: {
      command: words("cmd script command_line shell_command"),
      cwd: words(`workdir working_directory working_dir ${directory}`),
      timeout_ms: words("timeout_milliseconds timeout_millis"),
    },
    idle: {
      background: [false],
      is_background: [false],
      run_in_background: [false],
      blocking: [true],
      login: [true, false],
      restart: [false],
      sandbox_permissions: ["use_default"],
    },
  },
  todo: {
    names: words("task_list todo_list todo_write update_todo_list update_plan write_todos"),
    parameters: { todos: words("tasks items list") },
  },
  question: {
    names: words("ask ask_user ask_question ask_user_question ask_followup_question"),
    parameters: {},
  },
  web_fetch: {
    names: words("fetch fetch_url fetch_web_page fetch_webpage read_url read_web_page url_fetch"),
    parameters: { url: words("uri link address web_url") },
  },
  web_search: {
    names: words("search_web google_web_search internet_search"),
    parameters: { query: words("search_term search_query q") },
  },
  undo_edit: { names: words("undo undo_last_edit"), parameters: {} },
  format_file: { names: words("format format_code"), parameters: { path: words(file) } },
};

/** Fields that tell why a call is made, or what a client should show. They change nothing. */
const remarks: ReadonlySet<string> = new Set(
  words(
    "description explanation instruction instructions reason reasoning justification purpose thought summary tool_summary tool_action requires_approval task_progress",
  ).map(foldName),
);

/** Returns the built-in tools that a name of another family may mean. */
export function toolsNamed(name: string): readonly string[] {
  return byName.get(foldName(name)) ?? [];
}

/** Returns which of a schema's fields another name means, if it is exactly one. */
export function findField(
  tool: string,
  name: string,
  fields: readonly string[],
): string | undefined {
  const wanted = foldName(name);
  const groups = Object.entries(synonyms[tool]?.parameters ?? {}).map(
    ([own, others]) => new Set([own, ...others].map(foldName)),
  );
  const found = fields.filter(
    (field) =>
      foldName(field) === wanted ||
      groups.some((group) => group.has(wanted) && group.has(foldName(field))),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Tells whether a field with this value can't change what the tool does. */
export function isIdle(tool: string, name: string, value: unknown): boolean {
  const wanted = foldName(name);
  if (remarks.has(wanted)) return true;
  if (wanted === "dryrun") return value === false;
  const own = Object.entries(synonyms[tool]?.idle ?? {}).find(([key]) => foldName(key) === wanted);
  return own?.[1].includes(value) ?? false;
}

const byName = new Map<string, string[]>();
for (const [tool, { names }] of Object.entries(synonyms)) {
  for (const name of new Set([tool, ...names].map(foldName))) {
    byName.set(name, [...(byName.get(name) ?? []), tool]);
  }
}

function words(text: string): string[] {
  return text.split(" ");
}
