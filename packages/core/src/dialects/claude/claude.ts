import type { Dialect } from "../dialect.ts";
import { agentTools } from "../shared/agent-tools.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { exitPlanMode, skill, task } from "./agents.ts";
import { askUserQuestion } from "./ask-user-question.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import { taskOutput, taskStop } from "./tasks.ts";
import { todoWrite } from "./todo-write.ts";
import { toolSearch } from "./tool-search.ts";
import { webFetch, webSearch } from "./web.ts";
import { write } from "./write.ts";

/** The names, parameters and result texts that Claude models know from Claude Code. */
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
    ...agentTools,
  ],
  truncate: shortenText,
};
