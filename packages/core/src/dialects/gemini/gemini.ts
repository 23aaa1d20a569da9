import type { Dialect } from "../dialect.ts";
import { allAgentTools, toolSearch, undoEdit } from "../shared/agents.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { listDirectory, readFile, replace, writeFile } from "./files.ts";
import { askUser } from "./questions.ts";
import { glob, grepSearch } from "./search.ts";
import { runShellCommand } from "./shell.ts";
import { writeTodos } from "./todos.ts";
import { googleWebSearch, webFetch } from "./web.ts";

/**
 * The tool names, parameters and result texts that Gemini models know from Gemini CLI.
 *
 * @example
 * ```ts
 * import { createSession, gemini, type SessionOptions } from "@haft/core";
 *
 * export function openGeminiSession(options: SessionOptions) {
 *   return createSession({ ...options, dialect: gemini });
 * }
 * ```
 */
export const gemini: Dialect = {
  name: "gemini",
  native: "hidden",
  aliases: [
    ...readFile,
    listDirectory,
    writeFile,
    replace,
    ...runShellCommand,
    { name: "job_output", tool: "job_output" },
    { name: "job_stop", tool: "job_stop" },
    glob,
    ...grepSearch,
    webFetch,
    googleWebSearch,
    writeTodos,
    askUser,
    undoEdit,
    toolSearch,
    ...allAgentTools,
  ],
  truncate: shortenText,
};
