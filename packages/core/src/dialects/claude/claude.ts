import type { Dialect } from "../dialect.ts";
import { agentTools, undoEdit } from "../shared/agents.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { exitPlanMode, skill, task, toolSearch } from "./agents.ts";
import { edit, read, write } from "./files.ts";
import { askUserQuestion } from "./questions.ts";
import { glob, grep } from "./search.ts";
import { bash, taskOutput, taskStop } from "./shell.ts";
import { todoWrite } from "./todos.ts";
import { webFetch, webSearch } from "./web.ts";

/**
 * The tool names, parameters and result texts that Claude models know from Claude Code.
 *
 * @example
 * ```ts
 * import { claude, createSession, type SessionOptions } from "@haft/core";
 *
 * export function openClaudeSession(options: SessionOptions) {
 *   return createSession({ ...options, dialect: claude });
 * }
 * ```
 */
export const claude: Dialect = {
  name: "claude",
  native: "hidden",
  aliases: [
    read,
    edit,
    write,
    ...bash,
    ...taskOutput,
    ...taskStop,
    glob,
    ...grep,
    webFetch,
    webSearch,
    todoWrite,
    askUserQuestion,
    toolSearch,
    task,
    skill,
    exitPlanMode,
    undoEdit,
    ...agentTools,
  ],
  truncate: shortenText,
};
