import { isAbsolute, resolve } from "node:path";
import { isPlainObject } from "@haft/contract/internal";
import { claude, type Dialect, gemini, type HookedCall } from "@haft/core";
import type { HookFormatName } from "./hook-file.ts";
import { listPatchedFiles, toPatch } from "./patch-files.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call under the name and with the arguments that an agent's hooks know. */
export interface CallView {
  readonly name: string;
  /** Further names that matchers may use. */
  readonly otherNames: readonly string[];
  readonly input: Fields;
  /** Converts changed input to the tool's own arguments. Missing if the view is not the whole call. */
  toArguments?(input: Fields): unknown;
}

/**
 * Shows a call as an agent's hooks know it. A tool that the agent does not have is shown as the agent
 * would do the same, so that its guards see it: a patch as one edit per file, a deletion as an empty
 * file.
 */
export function viewCall(
  call: Pick<HookedCall, "tool" | "arguments" | "given" | "dialect">,
  format: HookFormatName,
  root: string,
): readonly CallView[] {
  const { tool, dialect, given } = call;
  const args: Fields = isPlainObject(call.arguments) ? call.arguments : {};
  const toAbsolute = (path: unknown): string =>
    typeof path !== "string" ? "" : isAbsolute(path) ? path : resolve(root, path);
  if (tool.source === "builtin") {
    const table = tables[format];
    const view = Object.hasOwn(table, tool.id) ? table[tool.id] : undefined;
    const views = view?.(args, { toAbsolute, tool: tool.id });
    if (views !== undefined && views.length > 0) {
      // What the model said beside the arguments, such as the description of a command.
      const more = dialect === format && views.length === 1 ? given : {};
      return views.map((one) => ({ ...one, input: { ...more, ...one.input } }));
    }
  }
  const [, server, name] = /^mcp__(.+?)__(.+)$/u.exec(tool.id) ?? [];
  const shown = format === "gemini" && server !== undefined ? `mcp_${server}_${name}` : tool.id;
  return [{ name: shown, otherNames: [], input: args, toArguments: (input) => input }];
}

interface ViewContext {
  toAbsolute(path: unknown): string;
  readonly tool: string;
}

type ToViews = (args: Fields, context: ViewContext) => readonly CallView[];
type ViewTable = Readonly<Record<string, ToViews>>;

// A view that is the whole call: its input can be changed and converted back by the dialect.
function whole(
  dialect: Dialect,
  [name = "", ...otherNames]: readonly string[],
  toInput: (args: Fields, context: ViewContext) => Fields,
): ToViews {
  return (args, context) => {
    const alias = dialect.aliases.find(
      (one) => one.tool === context.tool && [name, ...otherNames].includes(one.name),
    );
    const input = leaveOut(toInput(args, context));
    const convert = (changed: Fields): Fields =>
      (alias?.toArguments?.(changed) ?? changed) as Fields;
    const toArguments = (changed: Fields): unknown => {
      // What the agent's arguments can't say, such as the directory of a command, stays.
      const said = convert(input);
      const unsaid = Object.entries(args).filter(([key]) => !Object.hasOwn(said, key));
      return { ...Object.fromEntries(unsaid), ...convert(changed) };
    };
    return [{ name, otherNames, input, toArguments }];
  };
}

function part(name: string, input: Fields, otherNames: readonly string[] = []): CallView {
  return { name, otherNames, input };
}

const claudeTable: ViewTable = {
  read: whole(claude, ["Read"], ({ path, offset, limit }, { toAbsolute }) => ({
    file_path: toAbsolute(path),
    offset,
    limit,
  })),
  write: whole(claude, ["Write"], ({ path, content }, { toAbsolute }) => ({
    file_path: toAbsolute(path),
    content,
  })),
  edit: whole(
    claude,
    ["Edit"],
    ({ path, old_string, new_string, replace_all }, { toAbsolute }) => ({
      file_path: toAbsolute(path),
      old_string,
      new_string,
      replace_all: replace_all ?? false,
    }),
  ),
  bash: whole(claude, ["Bash"], ({ command, timeout_ms }) => ({ command, timeout: timeout_ms })),
  job_start: whole(claude, ["Bash"], ({ command }) => ({ command, run_in_background: true })),
  glob: whole(claude, ["Glob"], ({ pattern, path }) => ({ pattern, path })),
  grep: whole(claude, ["Grep"], ({ pattern, path, glob, case_sensitive }) => ({
    pattern,
    path,
    glob,
    "-i": case_sensitive === false ? true : undefined,
  })),
  web_fetch: whole(claude, ["WebFetch"], ({ url }) => ({ url, prompt: "" })),
  web_search: whole(claude, ["WebSearch"], ({ query }) => ({ query })),
  // Claude Code's own name today; files of older versions say Task.
  task: whole(claude, ["Agent", "Task"], ({ prompt, subagent_type, description, background }) => ({
    description,
    prompt,
    subagent_type,
    run_in_background: background,
  })),
  skill: whole(claude, ["Skill"], ({ name }) => ({ skill: name })),
  todo: whole(claude, ["TodoWrite"], (args) => args),
  question: (args) => [part("AskUserQuestion", args)],
  plan_exit: (args) => [part("ExitPlanMode", args)],
  ...changesAs("Write", "Edit", (file) => ({ replace_all: false, ...file })),
};

const geminiTable: ViewTable = {
  read: whole(gemini, ["read_file"], ({ path, offset, limit }, { toAbsolute }) => ({
    file_path: toAbsolute(path),
    start_line: offset,
    end_line: typeof limit === "number" ? Number(offset ?? 1) + limit - 1 : undefined,
  })),
  write: whole(gemini, ["write_file"], ({ path, content }, { toAbsolute }) => ({
    file_path: toAbsolute(path),
    content,
  })),
  edit: whole(
    gemini,
    ["replace"],
    ({ path, old_string, new_string, replace_all }, { toAbsolute }) => ({
      file_path: toAbsolute(path),
      old_string,
      new_string,
      allow_multiple: replace_all,
    }),
  ),
  bash: whole(gemini, ["run_shell_command"], ({ command, cwd }) => ({ command, dir_path: cwd })),
  job_start: whole(gemini, ["run_shell_command"], ({ command, cwd }) => ({
    command,
    dir_path: cwd,
    is_background: true,
  })),
  glob: whole(gemini, ["glob"], ({ pattern, path }) => ({ pattern, dir_path: path })),
  grep: whole(gemini, ["grep_search"], ({ pattern, path, glob, case_sensitive, literal }) => ({
    pattern,
    dir_path: path,
    include_pattern: glob,
    case_sensitive,
    fixed_strings: literal,
  })),
  web_fetch: whole(gemini, ["web_fetch"], ({ url }) => ({ prompt: url })),
  web_search: whole(gemini, ["google_web_search"], ({ query }) => ({ query })),
  todo: whole(gemini, ["write_todos"], (args) => args),
  question: (args) => [part("ask_user", args)],
  ...changesAs("write_file", "replace", (file) => ({ ...file })),
};

/** What a tool does to one file, in the terms that Claude Code and Gemini CLI share. */
interface FileChange {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
}

// The tools that change files and have no counterpart.
function changesAs(write: string, edit: string, toEdit: (change: FileChange) => Fields): ViewTable {
  const empty = (path: string): CallView => part(write, { file_path: path, content: "" });
  return {
    multi_edit: ({ path, edits }, { toAbsolute }) => {
      const list = Array.isArray(edits) ? edits.filter(isPlainObject) : [];
      const join = (key: string): string => list.map((one) => String(one[key] ?? "")).join("\n");
      const [old_string, new_string] = [join("old_string"), join("new_string")];
      return [part(edit, toEdit({ file_path: toAbsolute(path), old_string, new_string }))];
    },
    apply_patch: ({ patch }, { toAbsolute }) =>
      listPatchedFiles(String(patch)).flatMap(({ kind, path, target, before, after }) => {
        const file_path = toAbsolute(path);
        const own =
          kind === "update"
            ? part(edit, toEdit({ file_path, old_string: before, new_string: after }))
            : part(write, { file_path, content: after });
        return target === undefined ? [own] : [own, empty(toAbsolute(target))];
      }),
    delete_file: ({ path }, { toAbsolute }) => [empty(toAbsolute(path))],
    move_file: ({ from, to }, { toAbsolute }) => [empty(toAbsolute(from)), empty(toAbsolute(to))],
  };
}

// Codex has one tool for commands and one for changes of files.
const codexTable: ViewTable = {
  bash: commandOf,
  job_start: commandOf,
  apply_patch: ({ patch }) => [
    {
      ...patchView(String(patch)),
      toArguments: ({ command }) => ({ patch: command }),
    },
  ],
  write: ({ path, content }) => [
    patchView(toPatch("Add", String(path), { after: String(content) })),
  ],
  edit: ({ path, old_string, new_string }) => [
    patchView(
      toPatch("Update", String(path), { before: String(old_string), after: String(new_string) }),
    ),
  ],
  multi_edit: ({ path, edits }) => [
    patchView(
      (Array.isArray(edits) ? edits.filter(isPlainObject) : [])
        .map(({ old_string, new_string }) =>
          toPatch("Update", String(path), {
            before: String(old_string),
            after: String(new_string),
          }),
        )
        .join(""),
    ),
  ],
  delete_file: ({ path }) => [patchView(toPatch("Delete", String(path)))],
  move_file: ({ from, to }) => [patchView(toPatch("Update", String(from), { target: String(to) }))],
  task: (args) => [part("spawn_agent", args, ["Agent"])],
};

function commandOf(args: Fields): readonly CallView[] {
  return [
    {
      name: "Bash",
      otherNames: [],
      input: { command: args.command },
      toArguments: ({ command }) => ({ ...args, command }),
    },
  ];
}

function patchView(command: string): CallView {
  return part("apply_patch", { command }, ["Write", "Edit"]);
}

const tables: Readonly<Record<HookFormatName, ViewTable>> = {
  claude: claudeTable,
  codex: codexTable,
  gemini: geminiTable,
};

function leaveOut(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
