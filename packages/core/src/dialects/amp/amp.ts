import type { JsonValue } from "@haft/contract";
import { parseRule } from "../../rules/rule.ts";
import type { Dialect } from "../dialect.ts";
import { agentTools } from "../shared/agent-tools.ts";
import { bash } from "./bash.ts";
import { createFile } from "./create-file.ts";
import { editFile } from "./edit-file.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import { readWebPage } from "./read-web-page.ts";
import { task } from "./task.ts";

const truncationLimit = 102_400;

/**
 * The names, limits and sentences of Amp's tools. Where a name, a schema and its mapping are the
 * same in every dialect, they are an alias of the tool itself.
 */
export const amp: Dialect = {
  name: "amp",
  native: "hidden",
  // Its own folder in the project, but not its settings.
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
    { name: "undo_edit", tool: "undo_edit" },
    { name: "delete_file", tool: "delete_file" },
    { name: "format_file", tool: "format_file" },
    { name: "task_list", tool: "todo" },
    task,
    ...agentTools,
    // It has no names for these, and nothing that is kept back could be found without the second.
    { name: "question", tool: "question" },
    { name: "tool_search", tool: "tool_search" },
    { name: "skill", tool: "skill" },
    { name: "plan_exit", tool: "plan_exit" },
    // What older prompts call them.
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
  truncate: (data) => {
    if (isImage(data)) return undefined;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    if (text.length <= truncationLimit) return undefined;
    const head = text.slice(0, endOfCharacter(text, truncationLimit));
    return `${head}\n\n[Tool result truncated: ${Math.round(text.length / 1024)}KB exceeds limit. Please refine the query.]`;
  },
};

function isImage(data: JsonValue): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "image";
}

function endOfCharacter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
