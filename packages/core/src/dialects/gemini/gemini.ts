import type { Dialect } from "../dialect.ts";
import { allAgentTools } from "../shared/agent-tools.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { toolSearch } from "../shared/tool-search.ts";
import { askUser } from "./ask-user.ts";
import { glob } from "./glob.ts";
import { grepSearch } from "./grep-search.ts";
import { listDirectory } from "./list-directory.ts";
import { readFile } from "./read-file.ts";
import { replace } from "./replace.ts";
import { runShellCommand } from "./run-shell-command.ts";
import { googleWebSearch, webFetch } from "./web.ts";
import { writeFile } from "./write-file.ts";
import { writeTodos } from "./write-todos.ts";

/** The names, parameters and result texts that Gemini models know from Gemini CLI. */
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
    toolSearch,
    ...allAgentTools,
  ],
  truncate: shortenText,
};
