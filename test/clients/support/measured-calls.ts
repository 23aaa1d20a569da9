import type { PlannedCall } from "../model/scripted-model.ts";
import type { Dialect } from "./agents/agent.ts";

type Call = readonly [tool: string, given: PlannedCall["arguments"]];

const change = { old_string: "line 60 of the story", new_string: "line 60, where it turns" };
const patch = `*** Begin Patch
*** Update File: story.txt
@@
-${change.old_string}
+${change.new_string}
*** End Patch`;

const files: Readonly<Record<Dialect, readonly Call[]>> = {
  portable: [
    ["read", { path: "story.txt" }],
    ["edit", { path: "story.txt", ...change }],
    ["grep", { pattern: "line 1.* of" }],
  ],
  claude: [
    ["Read", { file_path: "story.txt" }],
    ["Edit", { file_path: "story.txt", ...change }],
    ["Grep", { pattern: "line 1.* of", output_mode: "content" }],
  ],
  // Its models read and search with commands.
  codex: [
    ["shell_command", { command: "cat story.txt" }],
    ["apply_patch", { input: patch }],
    ["shell_command", { command: "grep -n 'line 1.* of' story.txt" }],
  ],
  gemini: [
    ["read_file", { file_path: "story.txt" }],
    ["replace", { file_path: "story.txt", instruction: "Change line 60.", ...change }],
    ["grep_search", { pattern: "line 1.* of" }],
  ],
};

const shells: Readonly<Record<Dialect, string>> = {
  portable: "bash",
  claude: "Bash",
  codex: "shell_command",
  gemini: "run_shell_command",
};

/** Calls to read, edit and search, a short command, a long one and one that fails, in this order. */
export function measuredCalls(dialect: Dialect, nameOf: (tool: string) => string): PlannedCall[] {
  const commands = ["echo hello", "seq 1 60000", "echo wrong >&2; exit 3"];
  return [
    ...files[dialect],
    ...commands.map((command): Call => [shells[dialect], { command }]),
  ].map(([tool, given]) => ({ name: nameOf(tool), arguments: given }));
}
