import type { Dialect } from "../dialect.ts";
import { allAgentTools, toolSearch, undoEdit } from "../shared/agents.ts";
import { shortenText } from "../shared/shorten-text.ts";
import { exec, wait } from "./code.ts";
import { applyPatch, viewImage } from "./files.ts";
import { shell } from "./shell.ts";
import { requestUserInput, updatePlan } from "./tasks.ts";

/**
 * The tool names, parameters and result texts that OpenAI models know from Codex.
 *
 * @example
 * ```ts
 * import { codex, createSession, type SessionOptions } from "@haft/core";
 *
 * export function openCodexSession(options: SessionOptions) {
 *   return createSession({ ...options, dialect: codex });
 * }
 * ```
 */
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
    // Codex has no tools for background programs.
    { name: "job_start", tool: "job_start" },
    { name: "job_output", tool: "job_output" },
    { name: "job_stop", tool: "job_stop" },
    undoEdit,
    {
      ...toolSearch,
      inProgram: { toData: (data) => ({ tools: (data as { readonly matches: unknown }).matches }) },
    },
    exec,
    wait,
    ...allAgentTools.filter(({ tool }) => tool !== exec.tool),
  ],
  truncate: shortenText,
};
