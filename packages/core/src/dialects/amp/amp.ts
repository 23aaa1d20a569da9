import type { JsonValue } from "@haft/contract";
import { clipText, utf8Head, utf8Length } from "@haft/contract/internal";
import { parseRule } from "../../rules/rule.ts";
import type { Dialect } from "../dialect.ts";
import { agentTools, undoEdit } from "../shared/agents.ts";
import { task } from "./agents.ts";
import { createFile, editFile, read } from "./files.ts";
import { glob, grep, maxPageBytes, readWebPage } from "./search.ts";
import { bash } from "./shell.ts";

const truncationLimit = 102_400;

/**
 * The tool names, limits and result texts that Amp uses. Schemas and mappings that are the same in
 * every dialect are aliases of the tool itself.
 *
 * @example
 * ```ts
 * import { amp, createSession, type SessionOptions } from "@haft/core";
 *
 * export function openAmpSession(options: SessionOptions) {
 *   return createSession({ ...options, dialect: amp });
 * }
 * ```
 */
export const amp: Dialect = {
  name: "amp",
  native: "hidden",
  // Amp may write to its own folder in the project, but not to its settings.
  rules: ["fs.write .amp/** allow", "fs.write .amp/settings* ask"].map(parseRule),
  aliases: [
    read,
    editFile,
    createFile,
    bash,
    glob,
    grep,
    { name: "Check", tool: "check" },
    readWebPage,
    { name: "web_search", tool: "web_search" },
    undoEdit,
    { name: "delete_file", tool: "delete_file" },
    { name: "format_file", tool: "format_file" },
    { name: "task_list", tool: "todo" },
    task,
    ...agentTools,
    // Amp has no names for these. Deferred tools can only be found with tool_search.
    { name: "question", tool: "question" },
    { name: "tool_search", tool: "tool_search" },
    { name: "skill", tool: "skill" },
    { name: "plan_exit", tool: "plan_exit" },
    // Names in older prompts.
    { ...read, name: "read", like: "Read", hidden: true },
    { ...read, name: "read_file", like: "Read", hidden: true },
    { ...createFile, name: "Write", like: "create_file", hidden: true },
    { ...createFile, name: "write", like: "create_file", hidden: true },
    { ...createFile, name: "write_file", like: "create_file", hidden: true },
    { ...editFile, name: "Edit", like: "edit_file", hidden: true },
    { ...editFile, name: "edit", like: "edit_file", hidden: true },
    { name: "Delete", tool: "delete_file", hidden: true },
    { name: "delete", tool: "delete_file", hidden: true },
    { ...bash, name: "run_terminal_command", hidden: true },
  ],
  truncate: (data, tool) => {
    if (isImage(data)) return undefined;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const isPage = tool === readWebPage.tool;
    if (isPage ? utf8Length(text) <= maxPageBytes : text.length <= truncationLimit)
      return undefined;
    const head = isPage ? utf8Head(text, maxPageBytes) : clipText(text, truncationLimit, "");
    return `${head}\n\n[Tool result truncated: ${Math.round(text.length / 1024)}KB exceeds limit. Please refine the query.]`;
  },
};

function isImage(data: JsonValue): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "image";
}
