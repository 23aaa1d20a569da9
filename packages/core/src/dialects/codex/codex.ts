import type { Dialect } from "../dialect.ts";
import { allAgentTools } from "../shared/agent-tools.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { toolSearch } from "../shared/tool-search.ts";
import { applyPatch } from "./apply-patch.ts";
import { requestUserInput } from "./request-user-input.ts";
import { shell } from "./shell.ts";
import { updatePlan } from "./update-plan.ts";
import { viewImage } from "./view-image.ts";

/** The names, parameters and result texts that OpenAI's models know from Codex. */
export const codex: Dialect = {
  name: "codex",
  native: "hidden",
  aliases: [
    ...shell,
    applyPatch,
    updatePlan,
    viewImage,
    requestUserInput,
    { name: "web_search", tool: "web_search" },
    // What it has no words for in one call: programs that go on.
    { name: "job_start", tool: "job_start" },
    { name: "job_output", tool: "job_output" },
    { name: "job_stop", tool: "job_stop" },
    toolSearch,
    ...allAgentTools,
  ],
  truncate: shortenText,
};
